#!/bin/sh
# Root becomes the service's user once the files that it names are open: a file of root's in the store would stop the service.
[ "$(id -u)" != 0 ] || export CAREGATE_RUN_AS=caregate

# Service and commands read the settings here, so that both use the same store. The environment wins.
settings=/etc/caregate/caregate.env
given=$(env)
if [ -r "$settings" ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in [A-Z]*=*) ;; *) continue ;; esac
    name=${line%%=*}
    value=${line#*=}
    case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
    printf '%s\n' "$given" | grep -q "^$name=" || export "$name=$value"
  done < "$settings"
fi
export MALLOC_TRIM_THRESHOLD_=2097152 MALLOC_ARENA_MAX=2
exec /usr/lib/caregate/bin/node --max-semi-space-size=16 --no-parallel-scavenge /usr/lib/caregate/dist/cli/main.js "$@"
