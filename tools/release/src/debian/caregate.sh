#!/bin/sh
exec /usr/lib/caregate/bin/node /usr/lib/caregate/dist/cli/main.js "$@"
