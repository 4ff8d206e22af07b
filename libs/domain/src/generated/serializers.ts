// Generated from the DTO classes by `npm run generate`; do not edit.
/* eslint-disable */
// @ts-nocheck
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __require() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

// ../../node_modules/fast-json-stringify/lib/v8.js
var require_v8 = __commonJS({
  "../../node_modules/fast-json-stringify/lib/v8.js"(exports, module) {
    "use strict";
    var [v8Major, v8Minor] = String(process.versions.v8).split(".").map(Number);
    module.exports = {
      HAS_FAST_JSON_STRINGIFY: v8Major * 100 + v8Minor >= 1308
    };
  }
});

// ../../node_modules/fast-json-stringify/lib/serializer.js
var require_serializer = __commonJS({
  "../../node_modules/fast-json-stringify/lib/serializer.js"(exports, module) {
    "use strict";
    var STR_ESCAPE = /[\u0000-\u001f\u0022\u005c\ud800-\udfff]/;
    var { HAS_FAST_JSON_STRINGIFY } = require_v8();
    var NATIVE_STRING_ESCAPE_MIN_LENGTH = 8;
    function escapeStringNative(str) {
      return str.length < NATIVE_STRING_ESCAPE_MIN_LENGTH ? escapeStringLoop(str) : JSON.stringify(str);
    }
    var TWO_DIGITS = new Array(100);
    for (let i = 0; i < 100; i++) {
      TWO_DIGITS[i] = (i < 10 ? "0" : "") + i;
    }
    function asYear(year) {
      if (year >= 1e3) return year <= 9999 ? "" + year : null;
      if (year >= 100) return "0" + year;
      if (year >= 10) return "00" + year;
      if (year >= 0) return "000" + year;
      return null;
    }
    function escapeStringLoop(str) {
      const len = str.length;
      if (len === 0) {
        return '""';
      } else if (len < 42) {
        let result = "";
        let last = -1;
        let point = 255;
        for (let i = 0; i < len; i++) {
          point = str.charCodeAt(i);
          if (point === 34 || // '"'
          point === 92) {
            last === -1 && (last = 0);
            result += str.slice(last, i) + "\\";
            last = i;
          } else if (point < 32 || point >= 55296 && point <= 57343) {
            return JSON.stringify(str);
          }
        }
        return last === -1 && '"' + str + '"' || '"' + result + str.slice(last) + '"';
      } else if (len < 5e3 && STR_ESCAPE.test(str) === false) {
        return '"' + str + '"';
      } else {
        return JSON.stringify(str);
      }
    }
    var asString = [escapeStringLoop, escapeStringNative][Number(HAS_FAST_JSON_STRINGIFY)];
    module.exports = class Serializer {
      static escapeStringLoop = escapeStringLoop;
      static escapeStringNative = escapeStringNative;
      constructor(options) {
        switch (options && options.rounding) {
          case "floor":
            this.parseInteger = Math.floor;
            break;
          case "ceil":
            this.parseInteger = Math.ceil;
            break;
          case "round":
            this.parseInteger = Math.round;
            break;
          case "trunc":
          default:
            this.parseInteger = Math.trunc;
            break;
        }
        this._options = options;
      }
      asInteger(i) {
        if (Number.isInteger(i)) {
          return "" + i;
        } else if (typeof i === "bigint") {
          return i.toString();
        }
        const integer = this.parseInteger(i);
        if (integer === Infinity || integer === -Infinity || integer !== integer) {
          throw new Error(`The value "${i}" cannot be converted to an integer.`);
        }
        return "" + integer;
      }
      asNumber(i) {
        const num = Number(i);
        if (num !== num) {
          throw new Error(`The value "${i}" cannot be converted to a number.`);
        } else if (num === Infinity || num === -Infinity) {
          return "null";
        } else {
          return "" + num;
        }
      }
      asBoolean(bool) {
        return bool && "true" || "false";
      }
      asDateTime(date) {
        if (date === null) return '""';
        if (date instanceof Date) {
          const year = asYear(date.getUTCFullYear());
          if (year === null) return '"' + date.toISOString() + '"';
          const ms = date.getUTCMilliseconds();
          return '"' + year + "-" + TWO_DIGITS[date.getUTCMonth() + 1] + "-" + TWO_DIGITS[date.getUTCDate()] + "T" + TWO_DIGITS[date.getUTCHours()] + ":" + TWO_DIGITS[date.getUTCMinutes()] + ":" + TWO_DIGITS[date.getUTCSeconds()] + "." + (ms < 10 ? "00" : ms < 100 ? "0" : "") + ms + 'Z"';
        }
        if (typeof date === "string") {
          return asString(date);
        }
        throw new Error(`The value "${date}" cannot be converted to a date-time.`);
      }
      asDate(date) {
        if (date === null) return '""';
        if (date instanceof Date) {
          const year = asYear(date.getFullYear());
          if (year === null) {
            return '"' + new Date(date.getTime() - date.getTimezoneOffset() * 6e4).toISOString().slice(0, 10) + '"';
          }
          return '"' + year + "-" + TWO_DIGITS[date.getMonth() + 1] + "-" + TWO_DIGITS[date.getDate()] + '"';
        }
        if (typeof date === "string") {
          return asString(date);
        }
        throw new Error(`The value "${date}" cannot be converted to a date.`);
      }
      asTime(date) {
        if (date === null) return '""';
        if (date instanceof Date) {
          const hours = TWO_DIGITS[date.getHours()];
          if (hours === void 0) {
            return '"' + new Date(date.getTime() - date.getTimezoneOffset() * 6e4).toISOString().slice(11, 19) + '"';
          }
          return '"' + hours + ":" + TWO_DIGITS[date.getMinutes()] + ":" + TWO_DIGITS[date.getSeconds()] + '"';
        }
        if (typeof date === "string") {
          return asString(date);
        }
        throw new Error(`The value "${date}" cannot be converted to a time.`);
      }
      asString(str) {
        return asString(str);
      }
      asUnsafeString(str) {
        return '"' + str + '"';
      }
      // Copy primitive strings once, ignoring array/prototype toJSON hooks. On a
      // miss, serialize the captured prefix and coerce the remaining items in order,
      // matching buildSingleTypeSerializer without rereading getters.
      asPlainStringArray(arr, len = arr.length) {
        const copy = new Array(len);
        if (Array.prototype.toJSON !== void 0) Object.setPrototypeOf(copy, null);
        for (let i = 0; i < len; i++) {
          const value = arr[i];
          if (typeof value !== "string") {
            copy.length = i;
            let json = JSON.stringify(copy).slice(0, -1);
            for (let j = i; j < len; j++) {
              const item = j === i ? value : arr[j];
              if (j > 0) json += ",";
              if (typeof item === "string") {
                json += asString(item);
              } else if (item === null) {
                json += '""';
              } else if (item instanceof Date) {
                json += '"' + item.toISOString() + '"';
              } else if (item instanceof RegExp) {
                json += asString(item.source);
              } else {
                json += asString(item.toString());
              }
            }
            return json + "]";
          }
          copy[i] = value;
        }
        return JSON.stringify(copy);
      }
      getState() {
        return this._options;
      }
      static restoreFromState(state) {
        return new Serializer(state);
      }
    };
  }
});

// <stdin>
var GroupedMindfulnessMinutes = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous5(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_start_6 = obj["start"];
      if (value_start_6 !== void 0) {
        json += '{"start":';
        if (typeof value_start_6 !== "string") {
          if (value_start_6 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_start_6 instanceof Date) {
            json += JSON_STR_QUOTE + value_start_6.toISOString() + JSON_STR_QUOTE;
          } else if (value_start_6 instanceof RegExp) {
            json += asString(value_start_6.source);
          } else {
            json += asString(value_start_6.toString());
          }
        } else {
          json += asString(value_start_6);
        }
      } else {
        throw new Error('"start" is required!');
      }
      const value_end_7 = obj["end"];
      if (value_end_7 !== void 0) {
        json += ',"end":';
        if (typeof value_end_7 !== "string") {
          if (value_end_7 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_end_7 instanceof Date) {
            json += JSON_STR_QUOTE + value_end_7.toISOString() + JSON_STR_QUOTE;
          } else if (value_end_7 instanceof RegExp) {
            json += asString(value_end_7.source);
          } else {
            json += asString(value_end_7.toString());
          }
        } else {
          json += asString(value_end_7);
        }
      } else {
        throw new Error('"end" is required!');
      }
      const value_unit_8 = obj["unit"];
      if (value_unit_8 !== void 0) {
        json += ',"unit":';
        if (typeof value_unit_8 !== "string") {
          if (value_unit_8 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_unit_8 instanceof Date) {
            json += JSON_STR_QUOTE + value_unit_8.toISOString() + JSON_STR_QUOTE;
          } else if (value_unit_8 instanceof RegExp) {
            json += asString(value_unit_8.source);
          } else {
            json += asString(value_unit_8.toString());
          }
        } else {
          json += asString(value_unit_8);
        }
      } else {
        throw new Error('"unit" is required!');
      }
      const value_value_9 = obj["value"];
      if (value_value_9 !== void 0) {
        json += ',"value":';
        json += asNumber(value_value_9);
      } else {
        throw new Error('"value" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "start" || key === "end" || key === "unit" || key === "value" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous4(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/groups/additionalProperties/items/properties/data' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous5(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous5(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous6(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_provider_12 = obj["provider"];
      if (value_provider_12 !== void 0) {
        json += '{"provider":';
        if (typeof value_provider_12 !== "string") {
          if (value_provider_12 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_provider_12 instanceof Date) {
            json += JSON_STR_QUOTE + value_provider_12.toISOString() + JSON_STR_QUOTE;
          } else if (value_provider_12 instanceof RegExp) {
            json += asString(value_provider_12.source);
          } else {
            json += asString(value_provider_12.toString());
          }
        } else {
          json += asString(value_provider_12);
        }
      } else {
        throw new Error('"provider" is required!');
      }
      const value_type_13 = obj["type"];
      if (value_type_13 !== void 0) {
        json += ',"type":';
        if (typeof value_type_13 !== "string") {
          if (value_type_13 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_type_13 instanceof Date) {
            json += JSON_STR_QUOTE + value_type_13.toISOString() + JSON_STR_QUOTE;
          } else if (value_type_13 instanceof RegExp) {
            json += asString(value_type_13.source);
          } else {
            json += asString(value_type_13.toString());
          }
        } else {
          json += asString(value_type_13);
        }
      } else {
        throw new Error('"type" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "provider" || key === "type" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous3(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_data_4 = obj["data"];
      if (value_data_4 !== void 0) {
        json += '{"data":';
        json += anonymous4(value_data_4);
      } else {
        throw new Error('"data" is required!');
      }
      const value_source_10 = obj["source"];
      if (value_source_10 !== void 0) {
        json += ',"source":';
        json += anonymous6(value_source_10);
      } else {
        throw new Error('"source" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "data" || key === "source" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous2(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/groups/additionalProperties' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous3(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous3(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous1(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      let addComma_2 = false;
      for (const key of Object.keys(obj)) {
        if (obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += addComma_2 ? JSON_STR_COMMA : (addComma_2 = true, JSON_STR_BEGIN_OBJECT);
        json += asString(key) + JSON_STR_COLONS;
        json += anonymous2(value);
      }
      if (!addComma_2) json += JSON_STR_BEGIN_OBJECT;
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_groups_1 = obj["groups"];
      if (value_groups_1 !== void 0) {
        json += '{"groups":';
        json += anonymous1(value_groups_1);
      } else {
        throw new Error('"groups" is required!');
      }
      const value_next_14 = obj["next"];
      if (value_next_14 !== void 0) {
        json += ',"next":';
        if (value_next_14 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_next_14 !== "string") {
            if (value_next_14 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_next_14 instanceof Date) {
              json += JSON_STR_QUOTE + value_next_14.toISOString() + JSON_STR_QUOTE;
            } else if (value_next_14 instanceof RegExp) {
              json += asString(value_next_14.source);
            } else {
              json += asString(value_next_14.toString());
            }
          } else {
            json += asString(value_next_14);
          }
        }
      }
      const value_next_cursor_15 = obj["next_cursor"];
      if (value_next_cursor_15 !== void 0) {
        json += ',"next_cursor":';
        if (value_next_cursor_15 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_next_cursor_15 !== "string") {
            if (value_next_cursor_15 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_next_cursor_15 instanceof Date) {
              json += JSON_STR_QUOTE + value_next_cursor_15.toISOString() + JSON_STR_QUOTE;
            } else if (value_next_cursor_15 instanceof RegExp) {
              json += asString(value_next_cursor_15.source);
            } else {
              json += asString(value_next_cursor_15.toString());
            }
          } else {
            json += asString(value_next_cursor_15);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "groups" || key === "next" || key === "next_cursor" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var Insurance = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous2(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_first_line_14 = obj["first_line"];
      if (value_first_line_14 !== void 0) {
        json += '{"first_line":';
        if (typeof value_first_line_14 !== "string") {
          if (value_first_line_14 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_first_line_14 instanceof Date) {
            json += JSON_STR_QUOTE + value_first_line_14.toISOString() + JSON_STR_QUOTE;
          } else if (value_first_line_14 instanceof RegExp) {
            json += asString(value_first_line_14.source);
          } else {
            json += asString(value_first_line_14.toString());
          }
        } else {
          json += asString(value_first_line_14);
        }
      } else {
        throw new Error('"first_line" is required!');
      }
      const value_zip_code_15 = obj["zip_code"];
      if (value_zip_code_15 !== void 0) {
        json += ',"zip_code":';
        if (typeof value_zip_code_15 !== "string") {
          if (value_zip_code_15 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_zip_code_15 instanceof Date) {
            json += JSON_STR_QUOTE + value_zip_code_15.toISOString() + JSON_STR_QUOTE;
          } else if (value_zip_code_15 instanceof RegExp) {
            json += asString(value_zip_code_15.source);
          } else {
            json += asString(value_zip_code_15.toString());
          }
        } else {
          json += asString(value_zip_code_15);
        }
      } else {
        throw new Error('"zip_code" is required!');
      }
      const value_state_16 = obj["state"];
      if (value_state_16 !== void 0) {
        json += ',"state":';
        if (typeof value_state_16 !== "string") {
          if (value_state_16 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_state_16 instanceof Date) {
            json += JSON_STR_QUOTE + value_state_16.toISOString() + JSON_STR_QUOTE;
          } else if (value_state_16 instanceof RegExp) {
            json += asString(value_state_16.source);
          } else {
            json += asString(value_state_16.toString());
          }
        } else {
          json += asString(value_state_16);
        }
      } else {
        throw new Error('"state" is required!');
      }
      const value_city_17 = obj["city"];
      if (value_city_17 !== void 0) {
        json += ',"city":';
        if (typeof value_city_17 !== "string") {
          if (value_city_17 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_city_17 instanceof Date) {
            json += JSON_STR_QUOTE + value_city_17.toISOString() + JSON_STR_QUOTE;
          } else if (value_city_17 instanceof RegExp) {
            json += asString(value_city_17.source);
          } else {
            json += asString(value_city_17.toString());
          }
        } else {
          json += asString(value_city_17);
        }
      } else {
        throw new Error('"city" is required!');
      }
      const value_second_line_18 = obj["second_line"];
      if (value_second_line_18 !== void 0) {
        json += ',"second_line":';
        if (value_second_line_18 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_second_line_18 !== "string") {
            if (value_second_line_18 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_second_line_18 instanceof Date) {
              json += JSON_STR_QUOTE + value_second_line_18.toISOString() + JSON_STR_QUOTE;
            } else if (value_second_line_18 instanceof RegExp) {
              json += asString(value_second_line_18.source);
            } else {
              json += asString(value_second_line_18.toString());
            }
          } else {
            json += asString(value_second_line_18);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "first_line" || key === "second_line" || key === "zip_code" || key === "state" || key === "city" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous1(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_first_name_6 = obj["first_name"];
      if (value_first_name_6 !== void 0) {
        json += '{"first_name":';
        if (typeof value_first_name_6 !== "string") {
          if (value_first_name_6 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_first_name_6 instanceof Date) {
            json += JSON_STR_QUOTE + value_first_name_6.toISOString() + JSON_STR_QUOTE;
          } else if (value_first_name_6 instanceof RegExp) {
            json += asString(value_first_name_6.source);
          } else {
            json += asString(value_first_name_6.toString());
          }
        } else {
          json += asString(value_first_name_6);
        }
      } else {
        throw new Error('"first_name" is required!');
      }
      const value_last_name_7 = obj["last_name"];
      if (value_last_name_7 !== void 0) {
        json += ',"last_name":';
        if (typeof value_last_name_7 !== "string") {
          if (value_last_name_7 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_last_name_7 instanceof Date) {
            json += JSON_STR_QUOTE + value_last_name_7.toISOString() + JSON_STR_QUOTE;
          } else if (value_last_name_7 instanceof RegExp) {
            json += asString(value_last_name_7.source);
          } else {
            json += asString(value_last_name_7.toString());
          }
        } else {
          json += asString(value_last_name_7);
        }
      } else {
        throw new Error('"last_name" is required!');
      }
      const value_email_8 = obj["email"];
      if (value_email_8 !== void 0) {
        json += ',"email":';
        if (value_email_8 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_email_8 !== "string") {
            if (value_email_8 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_email_8 instanceof Date) {
              json += JSON_STR_QUOTE + value_email_8.toISOString() + JSON_STR_QUOTE;
            } else if (value_email_8 instanceof RegExp) {
              json += asString(value_email_8.source);
            } else {
              json += asString(value_email_8.toString());
            }
          } else {
            json += asString(value_email_8);
          }
        }
      }
      const value_phone_number_9 = obj["phone_number"];
      if (value_phone_number_9 !== void 0) {
        json += ',"phone_number":';
        if (value_phone_number_9 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_phone_number_9 !== "string") {
            if (value_phone_number_9 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_phone_number_9 instanceof Date) {
              json += JSON_STR_QUOTE + value_phone_number_9.toISOString() + JSON_STR_QUOTE;
            } else if (value_phone_number_9 instanceof RegExp) {
              json += asString(value_phone_number_9.source);
            } else {
              json += asString(value_phone_number_9.toString());
            }
          } else {
            json += asString(value_phone_number_9);
          }
        }
      }
      const value_gender_10 = obj["gender"];
      if (value_gender_10 !== void 0) {
        json += ',"gender":';
        if (value_gender_10 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_gender_10 !== "string") {
            if (value_gender_10 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_gender_10 instanceof Date) {
              json += JSON_STR_QUOTE + value_gender_10.toISOString() + JSON_STR_QUOTE;
            } else if (value_gender_10 instanceof RegExp) {
              json += asString(value_gender_10.source);
            } else {
              json += asString(value_gender_10.toString());
            }
          } else {
            json += asString(value_gender_10);
          }
        }
      }
      const value_dob_11 = obj["dob"];
      if (value_dob_11 !== void 0) {
        json += ',"dob":';
        if (value_dob_11 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_dob_11 !== "string") {
            if (value_dob_11 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_dob_11 instanceof Date) {
              json += JSON_STR_QUOTE + value_dob_11.toISOString() + JSON_STR_QUOTE;
            } else if (value_dob_11 instanceof RegExp) {
              json += asString(value_dob_11.source);
            } else {
              json += asString(value_dob_11.toString());
            }
          } else {
            json += asString(value_dob_11);
          }
        }
      }
      const value_address_12 = obj["address"];
      if (value_address_12 !== void 0) {
        json += ',"address":';
        if (value_address_12 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous2(value_address_12);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "first_name" || key === "last_name" || key === "email" || key === "phone_number" || key === "gender" || key === "dob" || key === "address" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_payor_code_1 = obj["payor_code"];
      if (value_payor_code_1 !== void 0) {
        json += '{"payor_code":';
        if (typeof value_payor_code_1 !== "string") {
          if (value_payor_code_1 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_payor_code_1 instanceof Date) {
            json += JSON_STR_QUOTE + value_payor_code_1.toISOString() + JSON_STR_QUOTE;
          } else if (value_payor_code_1 instanceof RegExp) {
            json += asString(value_payor_code_1.source);
          } else {
            json += asString(value_payor_code_1.toString());
          }
        } else {
          json += asString(value_payor_code_1);
        }
      } else {
        throw new Error('"payor_code" is required!');
      }
      const value_member_id_2 = obj["member_id"];
      if (value_member_id_2 !== void 0) {
        json += ',"member_id":';
        if (typeof value_member_id_2 !== "string") {
          if (value_member_id_2 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_member_id_2 instanceof Date) {
            json += JSON_STR_QUOTE + value_member_id_2.toISOString() + JSON_STR_QUOTE;
          } else if (value_member_id_2 instanceof RegExp) {
            json += asString(value_member_id_2.source);
          } else {
            json += asString(value_member_id_2.toString());
          }
        } else {
          json += asString(value_member_id_2);
        }
      } else {
        throw new Error('"member_id" is required!');
      }
      const value_relationship_3 = obj["relationship"];
      if (value_relationship_3 !== void 0) {
        json += ',"relationship":';
        if (typeof value_relationship_3 !== "string") {
          if (value_relationship_3 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_relationship_3 instanceof Date) {
            json += JSON_STR_QUOTE + value_relationship_3.toISOString() + JSON_STR_QUOTE;
          } else if (value_relationship_3 instanceof RegExp) {
            json += asString(value_relationship_3.source);
          } else {
            json += asString(value_relationship_3.toString());
          }
        } else {
          json += asString(value_relationship_3);
        }
      } else {
        throw new Error('"relationship" is required!');
      }
      const value_insured_4 = obj["insured"];
      if (value_insured_4 !== void 0) {
        json += ',"insured":';
        json += anonymous1(value_insured_4);
      } else {
        throw new Error('"insured" is required!');
      }
      const value_group_id_19 = obj["group_id"];
      if (value_group_id_19 !== void 0) {
        json += ',"group_id":';
        if (value_group_id_19 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_group_id_19 !== "string") {
            if (value_group_id_19 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_group_id_19 instanceof Date) {
              json += JSON_STR_QUOTE + value_group_id_19.toISOString() + JSON_STR_QUOTE;
            } else if (value_group_id_19 instanceof RegExp) {
              json += asString(value_group_id_19.source);
            } else {
              json += asString(value_group_id_19.toString());
            }
          } else {
            json += asString(value_group_id_19);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "payor_code" || key === "member_id" || key === "group_id" || key === "relationship" || key === "insured" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var LabOrderResult = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous1(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      let addComma_2 = false;
      const value_age_3 = obj["age"];
      if (value_age_3 !== void 0) {
        json += addComma_2 ? ',"age":' : (addComma_2 = true, '{"age":');
        if (value_age_3 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asInteger(value_age_3);
        }
      }
      const value_dob_4 = obj["dob"];
      if (value_dob_4 !== void 0) {
        json += addComma_2 ? ',"dob":' : (addComma_2 = true, '{"dob":');
        if (value_dob_4 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_dob_4 !== "string") {
            if (value_dob_4 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_dob_4 instanceof Date) {
              json += JSON_STR_QUOTE + value_dob_4.toISOString() + JSON_STR_QUOTE;
            } else if (value_dob_4 instanceof RegExp) {
              json += asString(value_dob_4.source);
            } else {
              json += asString(value_dob_4.toString());
            }
          } else {
            json += asString(value_dob_4);
          }
        }
      }
      const value_clia_number_5 = obj["clia_number"];
      if (value_clia_number_5 !== void 0) {
        json += addComma_2 ? ',"clia_number":' : (addComma_2 = true, '{"clia_number":');
        if (value_clia_number_5 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_clia_number_5 !== "string") {
            if (value_clia_number_5 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_clia_number_5 instanceof Date) {
              json += JSON_STR_QUOTE + value_clia_number_5.toISOString() + JSON_STR_QUOTE;
            } else if (value_clia_number_5 instanceof RegExp) {
              json += asString(value_clia_number_5.source);
            } else {
              json += asString(value_clia_number_5.toString());
            }
          } else {
            json += asString(value_clia_number_5);
          }
        }
      }
      const value_patient_6 = obj["patient"];
      if (value_patient_6 !== void 0) {
        json += addComma_2 ? ',"patient":' : (addComma_2 = true, '{"patient":');
        if (value_patient_6 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_patient_6 !== "string") {
            if (value_patient_6 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_patient_6 instanceof Date) {
              json += JSON_STR_QUOTE + value_patient_6.toISOString() + JSON_STR_QUOTE;
            } else if (value_patient_6 instanceof RegExp) {
              json += asString(value_patient_6.source);
            } else {
              json += asString(value_patient_6.toString());
            }
          } else {
            json += asString(value_patient_6);
          }
        }
      }
      const value_provider_7 = obj["provider"];
      if (value_provider_7 !== void 0) {
        json += addComma_2 ? ',"provider":' : (addComma_2 = true, '{"provider":');
        if (value_provider_7 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_provider_7 !== "string") {
            if (value_provider_7 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_provider_7 instanceof Date) {
              json += JSON_STR_QUOTE + value_provider_7.toISOString() + JSON_STR_QUOTE;
            } else if (value_provider_7 instanceof RegExp) {
              json += asString(value_provider_7.source);
            } else {
              json += asString(value_provider_7.toString());
            }
          } else {
            json += asString(value_provider_7);
          }
        }
      }
      const value_laboratory_8 = obj["laboratory"];
      if (value_laboratory_8 !== void 0) {
        json += addComma_2 ? ',"laboratory":' : (addComma_2 = true, '{"laboratory":');
        if (value_laboratory_8 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_laboratory_8 !== "string") {
            if (value_laboratory_8 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_laboratory_8 instanceof Date) {
              json += JSON_STR_QUOTE + value_laboratory_8.toISOString() + JSON_STR_QUOTE;
            } else if (value_laboratory_8 instanceof RegExp) {
              json += asString(value_laboratory_8.source);
            } else {
              json += asString(value_laboratory_8.toString());
            }
          } else {
            json += asString(value_laboratory_8);
          }
        }
      }
      const value_date_reported_9 = obj["date_reported"];
      if (value_date_reported_9 !== void 0) {
        json += addComma_2 ? ',"date_reported":' : (addComma_2 = true, '{"date_reported":');
        if (value_date_reported_9 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_date_reported_9 !== "string") {
            if (value_date_reported_9 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_date_reported_9 instanceof Date) {
              json += JSON_STR_QUOTE + value_date_reported_9.toISOString() + JSON_STR_QUOTE;
            } else if (value_date_reported_9 instanceof RegExp) {
              json += asString(value_date_reported_9.source);
            } else {
              json += asString(value_date_reported_9.toString());
            }
          } else {
            json += asString(value_date_reported_9);
          }
        }
      }
      const value_date_collected_10 = obj["date_collected"];
      if (value_date_collected_10 !== void 0) {
        json += addComma_2 ? ',"date_collected":' : (addComma_2 = true, '{"date_collected":');
        if (value_date_collected_10 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_date_collected_10 !== "string") {
            if (value_date_collected_10 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_date_collected_10 instanceof Date) {
              json += JSON_STR_QUOTE + value_date_collected_10.toISOString() + JSON_STR_QUOTE;
            } else if (value_date_collected_10 instanceof RegExp) {
              json += asString(value_date_collected_10.source);
            } else {
              json += asString(value_date_collected_10.toString());
            }
          } else {
            json += asString(value_date_collected_10);
          }
        }
      }
      const value_date_received_11 = obj["date_received"];
      if (value_date_received_11 !== void 0) {
        json += addComma_2 ? ',"date_received":' : (addComma_2 = true, '{"date_received":');
        if (value_date_received_11 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_date_received_11 !== "string") {
            if (value_date_received_11 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_date_received_11 instanceof Date) {
              json += JSON_STR_QUOTE + value_date_received_11.toISOString() + JSON_STR_QUOTE;
            } else if (value_date_received_11 instanceof RegExp) {
              json += asString(value_date_received_11.source);
            } else {
              json += asString(value_date_received_11.toString());
            }
          } else {
            json += asString(value_date_received_11);
          }
        }
      }
      const value_specimen_number_12 = obj["specimen_number"];
      if (value_specimen_number_12 !== void 0) {
        json += addComma_2 ? ',"specimen_number":' : (addComma_2 = true, '{"specimen_number":');
        if (value_specimen_number_12 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_specimen_number_12 !== "string") {
            if (value_specimen_number_12 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_specimen_number_12 instanceof Date) {
              json += JSON_STR_QUOTE + value_specimen_number_12.toISOString() + JSON_STR_QUOTE;
            } else if (value_specimen_number_12 instanceof RegExp) {
              json += asString(value_specimen_number_12.source);
            } else {
              json += asString(value_specimen_number_12.toString());
            }
          } else {
            json += asString(value_specimen_number_12);
          }
        }
      }
      const value_status_13 = obj["status"];
      if (value_status_13 !== void 0) {
        json += addComma_2 ? ',"status":' : (addComma_2 = true, '{"status":');
        if (value_status_13 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_status_13 !== "string") {
            if (value_status_13 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_status_13 instanceof Date) {
              json += JSON_STR_QUOTE + value_status_13.toISOString() + JSON_STR_QUOTE;
            } else if (value_status_13 instanceof RegExp) {
              json += asString(value_status_13.source);
            } else {
              json += asString(value_status_13.toString());
            }
          } else {
            json += asString(value_status_13);
          }
        }
      }
      const value_interpretation_14 = obj["interpretation"];
      if (value_interpretation_14 !== void 0) {
        json += addComma_2 ? ',"interpretation":' : (addComma_2 = true, '{"interpretation":');
        if (value_interpretation_14 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_interpretation_14 !== "string") {
            if (value_interpretation_14 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_interpretation_14 instanceof Date) {
              json += JSON_STR_QUOTE + value_interpretation_14.toISOString() + JSON_STR_QUOTE;
            } else if (value_interpretation_14 instanceof RegExp) {
              json += asString(value_interpretation_14.source);
            } else {
              json += asString(value_interpretation_14.toString());
            }
          } else {
            json += asString(value_interpretation_14);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "age" || key === "dob" || key === "clia_number" || key === "patient" || key === "provider" || key === "laboratory" || key === "date_reported" || key === "date_collected" || key === "date_received" || key === "specimen_number" || key === "status" || key === "interpretation" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += addComma_2 ? JSON_STR_COMMA : (addComma_2 = true, JSON_STR_BEGIN_OBJECT);
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      if (!addComma_2) json += JSON_STR_BEGIN_OBJECT;
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous5(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      let addComma_34 = false;
      const value_marker_id_35 = obj["marker_id"];
      if (value_marker_id_35 !== void 0) {
        json += addComma_34 ? ',"marker_id":' : (addComma_34 = true, '{"marker_id":');
        if (value_marker_id_35 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asInteger(value_marker_id_35);
        }
      }
      const value_name_36 = obj["name"];
      if (value_name_36 !== void 0) {
        json += addComma_34 ? ',"name":' : (addComma_34 = true, '{"name":');
        if (value_name_36 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_name_36 !== "string") {
            if (value_name_36 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_name_36 instanceof Date) {
              json += JSON_STR_QUOTE + value_name_36.toISOString() + JSON_STR_QUOTE;
            } else if (value_name_36 instanceof RegExp) {
              json += asString(value_name_36.source);
            } else {
              json += asString(value_name_36.toString());
            }
          } else {
            json += asString(value_name_36);
          }
        }
      }
      const value_slug_37 = obj["slug"];
      if (value_slug_37 !== void 0) {
        json += addComma_34 ? ',"slug":' : (addComma_34 = true, '{"slug":');
        if (value_slug_37 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_slug_37 !== "string") {
            if (value_slug_37 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_slug_37 instanceof Date) {
              json += JSON_STR_QUOTE + value_slug_37.toISOString() + JSON_STR_QUOTE;
            } else if (value_slug_37 instanceof RegExp) {
              json += asString(value_slug_37.source);
            } else {
              json += asString(value_slug_37.toString());
            }
          } else {
            json += asString(value_slug_37);
          }
        }
      }
      const value_provider_id_38 = obj["provider_id"];
      if (value_provider_id_38 !== void 0) {
        json += addComma_34 ? ',"provider_id":' : (addComma_34 = true, '{"provider_id":');
        if (value_provider_id_38 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_provider_id_38 !== "string") {
            if (value_provider_id_38 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_provider_id_38 instanceof Date) {
              json += JSON_STR_QUOTE + value_provider_id_38.toISOString() + JSON_STR_QUOTE;
            } else if (value_provider_id_38 instanceof RegExp) {
              json += asString(value_provider_id_38.source);
            } else {
              json += asString(value_provider_id_38.toString());
            }
          } else {
            json += asString(value_provider_id_38);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "marker_id" || key === "name" || key === "slug" || key === "provider_id" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += addComma_34 ? JSON_STR_COMMA : (addComma_34 = true, JSON_STR_BEGIN_OBJECT);
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      if (!addComma_34) json += JSON_STR_BEGIN_OBJECT;
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous4(obj) {
      let json = "";
      if (obj === null) return JSON_STR_NULL;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/results/items/properties/source_markers' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous5(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous5(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous3(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_name_17 = obj["name"];
      if (value_name_17 !== void 0) {
        json += '{"name":';
        if (typeof value_name_17 !== "string") {
          if (value_name_17 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_name_17 instanceof Date) {
            json += JSON_STR_QUOTE + value_name_17.toISOString() + JSON_STR_QUOTE;
          } else if (value_name_17 instanceof RegExp) {
            json += asString(value_name_17.source);
          } else {
            json += asString(value_name_17.toString());
          }
        } else {
          json += asString(value_name_17);
        }
      } else {
        throw new Error('"name" is required!');
      }
      const value_slug_18 = obj["slug"];
      if (value_slug_18 !== void 0) {
        json += ',"slug":';
        if (typeof value_slug_18 !== "string") {
          if (value_slug_18 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_slug_18 instanceof Date) {
            json += JSON_STR_QUOTE + value_slug_18.toISOString() + JSON_STR_QUOTE;
          } else if (value_slug_18 instanceof RegExp) {
            json += asString(value_slug_18.source);
          } else {
            json += asString(value_slug_18.toString());
          }
        } else {
          json += asString(value_slug_18);
        }
      } else {
        throw new Error('"slug" is required!');
      }
      const value_result_19 = obj["result"];
      if (value_result_19 !== void 0) {
        json += ',"result":';
        if (typeof value_result_19 !== "string") {
          if (value_result_19 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_result_19 instanceof Date) {
            json += JSON_STR_QUOTE + value_result_19.toISOString() + JSON_STR_QUOTE;
          } else if (value_result_19 instanceof RegExp) {
            json += asString(value_result_19.source);
          } else {
            json += asString(value_result_19.toString());
          }
        } else {
          json += asString(value_result_19);
        }
      } else {
        throw new Error('"result" is required!');
      }
      const value_value_20 = obj["value"];
      if (value_value_20 !== void 0) {
        json += ',"value":';
        if (value_value_20 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asNumber(value_value_20);
        }
      }
      const value_type_21 = obj["type"];
      if (value_type_21 !== void 0) {
        json += ',"type":';
        if (value_type_21 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_type_21 !== "string") {
            if (value_type_21 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_type_21 instanceof Date) {
              json += JSON_STR_QUOTE + value_type_21.toISOString() + JSON_STR_QUOTE;
            } else if (value_type_21 instanceof RegExp) {
              json += asString(value_type_21.source);
            } else {
              json += asString(value_type_21.toString());
            }
          } else {
            json += asString(value_type_21);
          }
        }
      }
      const value_unit_22 = obj["unit"];
      if (value_unit_22 !== void 0) {
        json += ',"unit":';
        if (value_unit_22 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_unit_22 !== "string") {
            if (value_unit_22 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_unit_22 instanceof Date) {
              json += JSON_STR_QUOTE + value_unit_22.toISOString() + JSON_STR_QUOTE;
            } else if (value_unit_22 instanceof RegExp) {
              json += asString(value_unit_22.source);
            } else {
              json += asString(value_unit_22.toString());
            }
          } else {
            json += asString(value_unit_22);
          }
        }
      }
      const value_timestamp_23 = obj["timestamp"];
      if (value_timestamp_23 !== void 0) {
        json += ',"timestamp":';
        if (value_timestamp_23 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_timestamp_23 !== "string") {
            if (value_timestamp_23 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_timestamp_23 instanceof Date) {
              json += JSON_STR_QUOTE + value_timestamp_23.toISOString() + JSON_STR_QUOTE;
            } else if (value_timestamp_23 instanceof RegExp) {
              json += asString(value_timestamp_23.source);
            } else {
              json += asString(value_timestamp_23.toString());
            }
          } else {
            json += asString(value_timestamp_23);
          }
        }
      }
      const value_notes_24 = obj["notes"];
      if (value_notes_24 !== void 0) {
        json += ',"notes":';
        if (value_notes_24 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_notes_24 !== "string") {
            if (value_notes_24 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_notes_24 instanceof Date) {
              json += JSON_STR_QUOTE + value_notes_24.toISOString() + JSON_STR_QUOTE;
            } else if (value_notes_24 instanceof RegExp) {
              json += asString(value_notes_24.source);
            } else {
              json += asString(value_notes_24.toString());
            }
          } else {
            json += asString(value_notes_24);
          }
        }
      }
      const value_min_range_value_25 = obj["min_range_value"];
      if (value_min_range_value_25 !== void 0) {
        json += ',"min_range_value":';
        if (value_min_range_value_25 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asNumber(value_min_range_value_25);
        }
      }
      const value_max_range_value_26 = obj["max_range_value"];
      if (value_max_range_value_26 !== void 0) {
        json += ',"max_range_value":';
        if (value_max_range_value_26 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asNumber(value_max_range_value_26);
        }
      }
      const value_is_above_max_range_27 = obj["is_above_max_range"];
      if (value_is_above_max_range_27 !== void 0) {
        json += ',"is_above_max_range":';
        if (value_is_above_max_range_27 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asBoolean(value_is_above_max_range_27);
        }
      }
      const value_is_below_min_range_28 = obj["is_below_min_range"];
      if (value_is_below_min_range_28 !== void 0) {
        json += ',"is_below_min_range":';
        if (value_is_below_min_range_28 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asBoolean(value_is_below_min_range_28);
        }
      }
      const value_interpretation_29 = obj["interpretation"];
      if (value_interpretation_29 !== void 0) {
        json += ',"interpretation":';
        if (value_interpretation_29 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_interpretation_29 !== "string") {
            if (value_interpretation_29 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_interpretation_29 instanceof Date) {
              json += JSON_STR_QUOTE + value_interpretation_29.toISOString() + JSON_STR_QUOTE;
            } else if (value_interpretation_29 instanceof RegExp) {
              json += asString(value_interpretation_29.source);
            } else {
              json += asString(value_interpretation_29.toString());
            }
          } else {
            json += asString(value_interpretation_29);
          }
        }
      }
      const value_loinc_30 = obj["loinc"];
      if (value_loinc_30 !== void 0) {
        json += ',"loinc":';
        if (value_loinc_30 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_loinc_30 !== "string") {
            if (value_loinc_30 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_loinc_30 instanceof Date) {
              json += JSON_STR_QUOTE + value_loinc_30.toISOString() + JSON_STR_QUOTE;
            } else if (value_loinc_30 instanceof RegExp) {
              json += asString(value_loinc_30.source);
            } else {
              json += asString(value_loinc_30.toString());
            }
          } else {
            json += asString(value_loinc_30);
          }
        }
      }
      const value_loinc_slug_31 = obj["loinc_slug"];
      if (value_loinc_slug_31 !== void 0) {
        json += ',"loinc_slug":';
        if (value_loinc_slug_31 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_loinc_slug_31 !== "string") {
            if (value_loinc_slug_31 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_loinc_slug_31 instanceof Date) {
              json += JSON_STR_QUOTE + value_loinc_slug_31.toISOString() + JSON_STR_QUOTE;
            } else if (value_loinc_slug_31 instanceof RegExp) {
              json += asString(value_loinc_slug_31.source);
            } else {
              json += asString(value_loinc_slug_31.toString());
            }
          } else {
            json += asString(value_loinc_slug_31);
          }
        }
      }
      const value_provider_id_32 = obj["provider_id"];
      if (value_provider_id_32 !== void 0) {
        json += ',"provider_id":';
        if (value_provider_id_32 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_provider_id_32 !== "string") {
            if (value_provider_id_32 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_provider_id_32 instanceof Date) {
              json += JSON_STR_QUOTE + value_provider_id_32.toISOString() + JSON_STR_QUOTE;
            } else if (value_provider_id_32 instanceof RegExp) {
              json += asString(value_provider_id_32.source);
            } else {
              json += asString(value_provider_id_32.toString());
            }
          } else {
            json += asString(value_provider_id_32);
          }
        }
      }
      const value_source_markers_33 = obj["source_markers"];
      if (value_source_markers_33 !== void 0) {
        json += ',"source_markers":';
        if (value_source_markers_33 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous4(value_source_markers_33);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "name" || key === "slug" || key === "value" || key === "result" || key === "type" || key === "unit" || key === "timestamp" || key === "notes" || key === "min_range_value" || key === "max_range_value" || key === "is_above_max_range" || key === "is_below_min_range" || key === "interpretation" || key === "loinc" || key === "loinc_slug" || key === "provider_id" || key === "source_markers" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous2(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/results' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous3(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous3(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous9(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      let addComma_49 = false;
      const value_marker_id_50 = obj["marker_id"];
      if (value_marker_id_50 !== void 0) {
        json += addComma_49 ? ',"marker_id":' : (addComma_49 = true, '{"marker_id":');
        if (value_marker_id_50 === null) {
          json += JSON_STR_NULL;
        } else {
          json += asInteger(value_marker_id_50);
        }
      }
      const value_name_51 = obj["name"];
      if (value_name_51 !== void 0) {
        json += addComma_49 ? ',"name":' : (addComma_49 = true, '{"name":');
        if (value_name_51 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_name_51 !== "string") {
            if (value_name_51 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_name_51 instanceof Date) {
              json += JSON_STR_QUOTE + value_name_51.toISOString() + JSON_STR_QUOTE;
            } else if (value_name_51 instanceof RegExp) {
              json += asString(value_name_51.source);
            } else {
              json += asString(value_name_51.toString());
            }
          } else {
            json += asString(value_name_51);
          }
        }
      }
      const value_slug_52 = obj["slug"];
      if (value_slug_52 !== void 0) {
        json += addComma_49 ? ',"slug":' : (addComma_49 = true, '{"slug":');
        if (value_slug_52 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_slug_52 !== "string") {
            if (value_slug_52 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_slug_52 instanceof Date) {
              json += JSON_STR_QUOTE + value_slug_52.toISOString() + JSON_STR_QUOTE;
            } else if (value_slug_52 instanceof RegExp) {
              json += asString(value_slug_52.source);
            } else {
              json += asString(value_slug_52.toString());
            }
          } else {
            json += asString(value_slug_52);
          }
        }
      }
      const value_provider_id_53 = obj["provider_id"];
      if (value_provider_id_53 !== void 0) {
        json += addComma_49 ? ',"provider_id":' : (addComma_49 = true, '{"provider_id":');
        if (value_provider_id_53 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_provider_id_53 !== "string") {
            if (value_provider_id_53 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_provider_id_53 instanceof Date) {
              json += JSON_STR_QUOTE + value_provider_id_53.toISOString() + JSON_STR_QUOTE;
            } else if (value_provider_id_53 instanceof RegExp) {
              json += asString(value_provider_id_53.source);
            } else {
              json += asString(value_provider_id_53.toString());
            }
          } else {
            json += asString(value_provider_id_53);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "marker_id" || key === "name" || key === "slug" || key === "provider_id" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += addComma_49 ? JSON_STR_COMMA : (addComma_49 = true, JSON_STR_BEGIN_OBJECT);
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      if (!addComma_49) json += JSON_STR_BEGIN_OBJECT;
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous8(obj) {
      let json = "";
      if (obj === null) return JSON_STR_NULL;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/missing_results/items/properties/source_markers' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous9(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous9(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous7(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_name_41 = obj["name"];
      if (value_name_41 !== void 0) {
        json += '{"name":';
        if (typeof value_name_41 !== "string") {
          if (value_name_41 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_name_41 instanceof Date) {
            json += JSON_STR_QUOTE + value_name_41.toISOString() + JSON_STR_QUOTE;
          } else if (value_name_41 instanceof RegExp) {
            json += asString(value_name_41.source);
          } else {
            json += asString(value_name_41.toString());
          }
        } else {
          json += asString(value_name_41);
        }
      } else {
        throw new Error('"name" is required!');
      }
      const value_slug_42 = obj["slug"];
      if (value_slug_42 !== void 0) {
        json += ',"slug":';
        if (typeof value_slug_42 !== "string") {
          if (value_slug_42 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_slug_42 instanceof Date) {
            json += JSON_STR_QUOTE + value_slug_42.toISOString() + JSON_STR_QUOTE;
          } else if (value_slug_42 instanceof RegExp) {
            json += asString(value_slug_42.source);
          } else {
            json += asString(value_slug_42.toString());
          }
        } else {
          json += asString(value_slug_42);
        }
      } else {
        throw new Error('"slug" is required!');
      }
      const value_inferred_failure_type_43 = obj["inferred_failure_type"];
      if (value_inferred_failure_type_43 !== void 0) {
        json += ',"inferred_failure_type":';
        if (value_inferred_failure_type_43 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_inferred_failure_type_43 !== "string") {
            if (value_inferred_failure_type_43 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_inferred_failure_type_43 instanceof Date) {
              json += JSON_STR_QUOTE + value_inferred_failure_type_43.toISOString() + JSON_STR_QUOTE;
            } else if (value_inferred_failure_type_43 instanceof RegExp) {
              json += asString(value_inferred_failure_type_43.source);
            } else {
              json += asString(value_inferred_failure_type_43.toString());
            }
          } else {
            json += asString(value_inferred_failure_type_43);
          }
        }
      }
      const value_note_44 = obj["note"];
      if (value_note_44 !== void 0) {
        json += ',"note":';
        if (value_note_44 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_note_44 !== "string") {
            if (value_note_44 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_note_44 instanceof Date) {
              json += JSON_STR_QUOTE + value_note_44.toISOString() + JSON_STR_QUOTE;
            } else if (value_note_44 instanceof RegExp) {
              json += asString(value_note_44.source);
            } else {
              json += asString(value_note_44.toString());
            }
          } else {
            json += asString(value_note_44);
          }
        }
      }
      const value_loinc_45 = obj["loinc"];
      if (value_loinc_45 !== void 0) {
        json += ',"loinc":';
        if (value_loinc_45 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_loinc_45 !== "string") {
            if (value_loinc_45 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_loinc_45 instanceof Date) {
              json += JSON_STR_QUOTE + value_loinc_45.toISOString() + JSON_STR_QUOTE;
            } else if (value_loinc_45 instanceof RegExp) {
              json += asString(value_loinc_45.source);
            } else {
              json += asString(value_loinc_45.toString());
            }
          } else {
            json += asString(value_loinc_45);
          }
        }
      }
      const value_loinc_slug_46 = obj["loinc_slug"];
      if (value_loinc_slug_46 !== void 0) {
        json += ',"loinc_slug":';
        if (value_loinc_slug_46 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_loinc_slug_46 !== "string") {
            if (value_loinc_slug_46 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_loinc_slug_46 instanceof Date) {
              json += JSON_STR_QUOTE + value_loinc_slug_46.toISOString() + JSON_STR_QUOTE;
            } else if (value_loinc_slug_46 instanceof RegExp) {
              json += asString(value_loinc_slug_46.source);
            } else {
              json += asString(value_loinc_slug_46.toString());
            }
          } else {
            json += asString(value_loinc_slug_46);
          }
        }
      }
      const value_provider_id_47 = obj["provider_id"];
      if (value_provider_id_47 !== void 0) {
        json += ',"provider_id":';
        if (value_provider_id_47 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_provider_id_47 !== "string") {
            if (value_provider_id_47 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_provider_id_47 instanceof Date) {
              json += JSON_STR_QUOTE + value_provider_id_47.toISOString() + JSON_STR_QUOTE;
            } else if (value_provider_id_47 instanceof RegExp) {
              json += asString(value_provider_id_47.source);
            } else {
              json += asString(value_provider_id_47.toString());
            }
          } else {
            json += asString(value_provider_id_47);
          }
        }
      }
      const value_source_markers_48 = obj["source_markers"];
      if (value_source_markers_48 !== void 0) {
        json += ',"source_markers":';
        if (value_source_markers_48 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous8(value_source_markers_48);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "name" || key === "slug" || key === "inferred_failure_type" || key === "note" || key === "loinc" || key === "loinc_slug" || key === "provider_id" || key === "source_markers" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous6(obj) {
      let json = "";
      if (obj === null) return JSON_STR_NULL;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/missing_results' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous7(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous7(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous10(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      let addComma_55 = false;
      for (const key of Object.keys(obj)) {
        if (obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += addComma_55 ? JSON_STR_COMMA : (addComma_55 = true, JSON_STR_BEGIN_OBJECT);
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      if (!addComma_55) json += JSON_STR_BEGIN_OBJECT;
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous13(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_id_62 = obj["id"];
      if (value_id_62 !== void 0) {
        json += '{"id":';
        if (typeof value_id_62 !== "string") {
          if (value_id_62 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_id_62 instanceof Date) {
            json += JSON_STR_QUOTE + value_id_62.toISOString() + JSON_STR_QUOTE;
          } else if (value_id_62 instanceof RegExp) {
            json += asString(value_id_62.source);
          } else {
            json += asString(value_id_62.toString());
          }
        } else {
          json += asString(value_id_62);
        }
      } else {
        throw new Error('"id" is required!');
      }
      const value_created_at_63 = obj["created_at"];
      if (value_created_at_63 !== void 0) {
        json += ',"created_at":';
        if (typeof value_created_at_63 !== "string") {
          if (value_created_at_63 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_at_63 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_at_63.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_at_63 instanceof RegExp) {
            json += asString(value_created_at_63.source);
          } else {
            json += asString(value_created_at_63.toString());
          }
        } else {
          json += asString(value_created_at_63);
        }
      } else {
        throw new Error('"created_at" is required!');
      }
      const value_updated_at_64 = obj["updated_at"];
      if (value_updated_at_64 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_64 !== "string") {
          if (value_updated_at_64 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_64 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_64.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_64 instanceof RegExp) {
            json += asString(value_updated_at_64.source);
          } else {
            json += asString(value_updated_at_64.toString());
          }
        } else {
          json += asString(value_updated_at_64);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      const value_low_level_status_65 = obj["low_level_status"];
      if (value_low_level_status_65 !== void 0) {
        json += ',"low_level_status":';
        if (value_low_level_status_65 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_low_level_status_65 !== "string") {
            if (value_low_level_status_65 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_low_level_status_65 instanceof Date) {
              json += JSON_STR_QUOTE + value_low_level_status_65.toISOString() + JSON_STR_QUOTE;
            } else if (value_low_level_status_65 instanceof RegExp) {
              json += asString(value_low_level_status_65.source);
            } else {
              json += asString(value_low_level_status_65.toString());
            }
          } else {
            json += asString(value_low_level_status_65);
          }
        }
      }
      const value_low_level_status_created_at_66 = obj["low_level_status_created_at"];
      if (value_low_level_status_created_at_66 !== void 0) {
        json += ',"low_level_status_created_at":';
        if (value_low_level_status_created_at_66 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_low_level_status_created_at_66 !== "string") {
            if (value_low_level_status_created_at_66 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_low_level_status_created_at_66 instanceof Date) {
              json += JSON_STR_QUOTE + value_low_level_status_created_at_66.toISOString() + JSON_STR_QUOTE;
            } else if (value_low_level_status_created_at_66 instanceof RegExp) {
              json += asString(value_low_level_status_created_at_66.source);
            } else {
              json += asString(value_low_level_status_created_at_66.toString());
            }
          } else {
            json += asString(value_low_level_status_created_at_66);
          }
        }
      }
      const value_origin_67 = obj["origin"];
      if (value_origin_67 !== void 0) {
        json += ',"origin":';
        if (value_origin_67 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_origin_67 !== "string") {
            if (value_origin_67 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_origin_67 instanceof Date) {
              json += JSON_STR_QUOTE + value_origin_67.toISOString() + JSON_STR_QUOTE;
            } else if (value_origin_67 instanceof RegExp) {
              json += asString(value_origin_67.source);
            } else {
              json += asString(value_origin_67.toString());
            }
          } else {
            json += asString(value_origin_67);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "id" || key === "created_at" || key === "updated_at" || key === "low_level_status" || key === "low_level_status_created_at" || key === "origin" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous12(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/order_transaction/properties/orders' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous13(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous13(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous11(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_id_58 = obj["id"];
      if (value_id_58 !== void 0) {
        json += '{"id":';
        if (typeof value_id_58 !== "string") {
          if (value_id_58 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_id_58 instanceof Date) {
            json += JSON_STR_QUOTE + value_id_58.toISOString() + JSON_STR_QUOTE;
          } else if (value_id_58 instanceof RegExp) {
            json += asString(value_id_58.source);
          } else {
            json += asString(value_id_58.toString());
          }
        } else {
          json += asString(value_id_58);
        }
      } else {
        throw new Error('"id" is required!');
      }
      const value_status_59 = obj["status"];
      if (value_status_59 !== void 0) {
        json += ',"status":';
        if (typeof value_status_59 !== "string") {
          if (value_status_59 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_status_59 instanceof Date) {
            json += JSON_STR_QUOTE + value_status_59.toISOString() + JSON_STR_QUOTE;
          } else if (value_status_59 instanceof RegExp) {
            json += asString(value_status_59.source);
          } else {
            json += asString(value_status_59.toString());
          }
        } else {
          json += asString(value_status_59);
        }
      } else {
        throw new Error('"status" is required!');
      }
      const value_orders_60 = obj["orders"];
      if (value_orders_60 !== void 0) {
        json += ',"orders":';
        json += anonymous12(value_orders_60);
      } else {
        throw new Error('"orders" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "id" || key === "status" || key === "orders" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_metadata_1 = obj["metadata"];
      if (value_metadata_1 !== void 0) {
        json += '{"metadata":';
        json += anonymous1(value_metadata_1);
      } else {
        throw new Error('"metadata" is required!');
      }
      const value_results_15 = obj["results"];
      if (value_results_15 !== void 0) {
        json += ',"results":';
        json += anonymous2(value_results_15);
      } else {
        throw new Error('"results" is required!');
      }
      const value_missing_results_39 = obj["missing_results"];
      if (value_missing_results_39 !== void 0) {
        json += ',"missing_results":';
        if (value_missing_results_39 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous6(value_missing_results_39);
        }
      }
      const value_sample_information_54 = obj["sample_information"];
      if (value_sample_information_54 !== void 0) {
        json += ',"sample_information":';
        if (value_sample_information_54 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous10(value_sample_information_54);
        }
      }
      const value_order_transaction_56 = obj["order_transaction"];
      if (value_order_transaction_56 !== void 0) {
        json += ',"order_transaction":';
        if (value_order_transaction_56 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous11(value_order_transaction_56);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "metadata" || key === "results" || key === "missing_results" || key === "sample_information" || key === "order_transaction" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var ListedUser = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous3(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_logo_10 = obj["logo"];
      if (value_logo_10 !== void 0) {
        json += '{"logo":';
        if (typeof value_logo_10 !== "string") {
          if (value_logo_10 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_logo_10 instanceof Date) {
            json += JSON_STR_QUOTE + value_logo_10.toISOString() + JSON_STR_QUOTE;
          } else if (value_logo_10 instanceof RegExp) {
            json += asString(value_logo_10.source);
          } else {
            json += asString(value_logo_10.toString());
          }
        } else {
          json += asString(value_logo_10);
        }
      } else {
        throw new Error('"logo" is required!');
      }
      const value_name_11 = obj["name"];
      if (value_name_11 !== void 0) {
        json += ',"name":';
        if (typeof value_name_11 !== "string") {
          if (value_name_11 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_name_11 instanceof Date) {
            json += JSON_STR_QUOTE + value_name_11.toISOString() + JSON_STR_QUOTE;
          } else if (value_name_11 instanceof RegExp) {
            json += asString(value_name_11.source);
          } else {
            json += asString(value_name_11.toString());
          }
        } else {
          json += asString(value_name_11);
        }
      } else {
        throw new Error('"name" is required!');
      }
      const value_slug_12 = obj["slug"];
      if (value_slug_12 !== void 0) {
        json += ',"slug":';
        if (typeof value_slug_12 !== "string") {
          if (value_slug_12 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_slug_12 instanceof Date) {
            json += JSON_STR_QUOTE + value_slug_12.toISOString() + JSON_STR_QUOTE;
          } else if (value_slug_12 instanceof RegExp) {
            json += asString(value_slug_12.source);
          } else {
            json += asString(value_slug_12.toString());
          }
        } else {
          json += asString(value_slug_12);
        }
      } else {
        throw new Error('"slug" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "logo" || key === "name" || key === "slug" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous2(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_created_on_7 = obj["created_on"];
      if (value_created_on_7 !== void 0) {
        json += '{"created_on":';
        if (typeof value_created_on_7 !== "string") {
          if (value_created_on_7 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_7 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_7.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_7 instanceof RegExp) {
            json += asString(value_created_on_7.source);
          } else {
            json += asString(value_created_on_7.toString());
          }
        } else {
          json += asString(value_created_on_7);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_source_8 = obj["source"];
      if (value_source_8 !== void 0) {
        json += ',"source":';
        json += anonymous3(value_source_8);
      } else {
        throw new Error('"source" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "created_on" || key === "source" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous1(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/connected_sources' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous2(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous2(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous4(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_value_15 = obj["value"];
      if (value_value_15 !== void 0) {
        json += '{"value":';
        if (typeof value_value_15 !== "string") {
          if (value_value_15 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_value_15 instanceof Date) {
            json += JSON_STR_QUOTE + value_value_15.toISOString() + JSON_STR_QUOTE;
          } else if (value_value_15 instanceof RegExp) {
            json += asString(value_value_15.source);
          } else {
            json += asString(value_value_15.toString());
          }
        } else {
          json += asString(value_value_15);
        }
      } else {
        throw new Error('"value" is required!');
      }
      const value_source_slug_16 = obj["source_slug"];
      if (value_source_slug_16 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_16 !== "string") {
          if (value_source_slug_16 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_16 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_16.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_16 instanceof RegExp) {
            json += asString(value_source_slug_16.source);
          } else {
            json += asString(value_source_slug_16.toString());
          }
        } else {
          json += asString(value_source_slug_16);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_17 = obj["updated_at"];
      if (value_updated_at_17 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_17 !== "string") {
          if (value_updated_at_17 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_17 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_17.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_17 instanceof RegExp) {
            json += asString(value_updated_at_17.source);
          } else {
            json += asString(value_updated_at_17.toString());
          }
        } else {
          json += asString(value_updated_at_17);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "value" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous5(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_id_22 = obj["id"];
      if (value_id_22 !== void 0) {
        json += '{"id":';
        if (typeof value_id_22 !== "string") {
          if (value_id_22 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_id_22 instanceof Date) {
            json += JSON_STR_QUOTE + value_id_22.toISOString() + JSON_STR_QUOTE;
          } else if (value_id_22 instanceof RegExp) {
            json += asString(value_id_22.source);
          } else {
            json += asString(value_id_22.toString());
          }
        } else {
          json += asString(value_id_22);
        }
      } else {
        throw new Error('"id" is required!');
      }
      const value_source_slug_23 = obj["source_slug"];
      if (value_source_slug_23 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_23 !== "string") {
          if (value_source_slug_23 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_23 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_23.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_23 instanceof RegExp) {
            json += asString(value_source_slug_23.source);
          } else {
            json += asString(value_source_slug_23.toString());
          }
        } else {
          json += asString(value_source_slug_23);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_24 = obj["updated_at"];
      if (value_updated_at_24 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_24 !== "string") {
          if (value_updated_at_24 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_24 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_24.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_24 instanceof RegExp) {
            json += asString(value_updated_at_24.source);
          } else {
            json += asString(value_updated_at_24.toString());
          }
        } else {
          json += asString(value_updated_at_24);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "id" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_user_id_1 = obj["user_id"];
      if (value_user_id_1 !== void 0) {
        json += '{"user_id":';
        if (typeof value_user_id_1 !== "string") {
          if (value_user_id_1 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_user_id_1 instanceof Date) {
            json += JSON_STR_QUOTE + value_user_id_1.toISOString() + JSON_STR_QUOTE;
          } else if (value_user_id_1 instanceof RegExp) {
            json += asString(value_user_id_1.source);
          } else {
            json += asString(value_user_id_1.toString());
          }
        } else {
          json += asString(value_user_id_1);
        }
      } else {
        throw new Error('"user_id" is required!');
      }
      const value_team_id_2 = obj["team_id"];
      if (value_team_id_2 !== void 0) {
        json += ',"team_id":';
        if (typeof value_team_id_2 !== "string") {
          if (value_team_id_2 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_team_id_2 instanceof Date) {
            json += JSON_STR_QUOTE + value_team_id_2.toISOString() + JSON_STR_QUOTE;
          } else if (value_team_id_2 instanceof RegExp) {
            json += asString(value_team_id_2.source);
          } else {
            json += asString(value_team_id_2.toString());
          }
        } else {
          json += asString(value_team_id_2);
        }
      } else {
        throw new Error('"team_id" is required!');
      }
      const value_client_user_id_3 = obj["client_user_id"];
      if (value_client_user_id_3 !== void 0) {
        json += ',"client_user_id":';
        if (typeof value_client_user_id_3 !== "string") {
          if (value_client_user_id_3 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_client_user_id_3 instanceof Date) {
            json += JSON_STR_QUOTE + value_client_user_id_3.toISOString() + JSON_STR_QUOTE;
          } else if (value_client_user_id_3 instanceof RegExp) {
            json += asString(value_client_user_id_3.source);
          } else {
            json += asString(value_client_user_id_3.toString());
          }
        } else {
          json += asString(value_client_user_id_3);
        }
      } else {
        throw new Error('"client_user_id" is required!');
      }
      const value_created_on_4 = obj["created_on"];
      if (value_created_on_4 !== void 0) {
        json += ',"created_on":';
        if (typeof value_created_on_4 !== "string") {
          if (value_created_on_4 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_4 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_4.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_4 instanceof RegExp) {
            json += asString(value_created_on_4.source);
          } else {
            json += asString(value_created_on_4.toString());
          }
        } else {
          json += asString(value_created_on_4);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_connected_sources_5 = obj["connected_sources"];
      if (value_connected_sources_5 !== void 0) {
        json += ',"connected_sources":';
        json += anonymous1(value_connected_sources_5);
      } else {
        throw new Error('"connected_sources" is required!');
      }
      const value_fallback_birth_date_13 = obj["fallback_birth_date"];
      if (value_fallback_birth_date_13 !== void 0) {
        json += ',"fallback_birth_date":';
        if (value_fallback_birth_date_13 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous4(value_fallback_birth_date_13);
        }
      }
      const value_ingestion_start_18 = obj["ingestion_start"];
      if (value_ingestion_start_18 !== void 0) {
        json += ',"ingestion_start":';
        if (value_ingestion_start_18 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_start_18 !== "string") {
            if (value_ingestion_start_18 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_start_18 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_start_18.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_start_18 instanceof RegExp) {
              json += asString(value_ingestion_start_18.source);
            } else {
              json += asString(value_ingestion_start_18.toString());
            }
          } else {
            json += asString(value_ingestion_start_18);
          }
        }
      }
      const value_ingestion_end_19 = obj["ingestion_end"];
      if (value_ingestion_end_19 !== void 0) {
        json += ',"ingestion_end":';
        if (value_ingestion_end_19 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_end_19 !== "string") {
            if (value_ingestion_end_19 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_end_19 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_end_19.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_end_19 instanceof RegExp) {
              json += asString(value_ingestion_end_19.source);
            } else {
              json += asString(value_ingestion_end_19.toString());
            }
          } else {
            json += asString(value_ingestion_end_19);
          }
        }
      }
      const value_fallback_time_zone_20 = obj["fallback_time_zone"];
      if (value_fallback_time_zone_20 !== void 0) {
        json += ',"fallback_time_zone":';
        if (value_fallback_time_zone_20 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous5(value_fallback_time_zone_20);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "user_id" || key === "team_id" || key === "client_user_id" || key === "created_on" || key === "connected_sources" || key === "fallback_birth_date" || key === "ingestion_start" || key === "ingestion_end" || key === "fallback_time_zone" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var MindfulnessMinutesPoint = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_start_1 = obj["start"];
      if (value_start_1 !== void 0) {
        json += '{"start":';
        if (typeof value_start_1 !== "string") {
          if (value_start_1 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_start_1 instanceof Date) {
            json += JSON_STR_QUOTE + value_start_1.toISOString() + JSON_STR_QUOTE;
          } else if (value_start_1 instanceof RegExp) {
            json += asString(value_start_1.source);
          } else {
            json += asString(value_start_1.toString());
          }
        } else {
          json += asString(value_start_1);
        }
      } else {
        throw new Error('"start" is required!');
      }
      const value_end_2 = obj["end"];
      if (value_end_2 !== void 0) {
        json += ',"end":';
        if (typeof value_end_2 !== "string") {
          if (value_end_2 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_end_2 instanceof Date) {
            json += JSON_STR_QUOTE + value_end_2.toISOString() + JSON_STR_QUOTE;
          } else if (value_end_2 instanceof RegExp) {
            json += asString(value_end_2.source);
          } else {
            json += asString(value_end_2.toString());
          }
        } else {
          json += asString(value_end_2);
        }
      } else {
        throw new Error('"end" is required!');
      }
      const value_unit_3 = obj["unit"];
      if (value_unit_3 !== void 0) {
        json += ',"unit":';
        if (typeof value_unit_3 !== "string") {
          if (value_unit_3 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_unit_3 instanceof Date) {
            json += JSON_STR_QUOTE + value_unit_3.toISOString() + JSON_STR_QUOTE;
          } else if (value_unit_3 instanceof RegExp) {
            json += asString(value_unit_3.source);
          } else {
            json += asString(value_unit_3.toString());
          }
        } else {
          json += asString(value_unit_3);
        }
      } else {
        throw new Error('"unit" is required!');
      }
      const value_value_4 = obj["value"];
      if (value_value_4 !== void 0) {
        json += ',"value":';
        json += asNumber(value_value_4);
      } else {
        throw new Error('"value" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "start" || key === "end" || key === "unit" || key === "value" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var ProblemDetails = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous2(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_parameter_8 = obj["parameter"];
      if (value_parameter_8 !== void 0) {
        json += '{"parameter":';
        if (typeof value_parameter_8 !== "string") {
          if (value_parameter_8 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_parameter_8 instanceof Date) {
            json += JSON_STR_QUOTE + value_parameter_8.toISOString() + JSON_STR_QUOTE;
          } else if (value_parameter_8 instanceof RegExp) {
            json += asString(value_parameter_8.source);
          } else {
            json += asString(value_parameter_8.toString());
          }
        } else {
          json += asString(value_parameter_8);
        }
      } else {
        throw new Error('"parameter" is required!');
      }
      const value_reason_9 = obj["reason"];
      if (value_reason_9 !== void 0) {
        json += ',"reason":';
        if (typeof value_reason_9 !== "string") {
          if (value_reason_9 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_reason_9 instanceof Date) {
            json += JSON_STR_QUOTE + value_reason_9.toISOString() + JSON_STR_QUOTE;
          } else if (value_reason_9 instanceof RegExp) {
            json += asString(value_reason_9.source);
          } else {
            json += asString(value_reason_9.toString());
          }
        } else {
          json += asString(value_reason_9);
        }
      } else {
        throw new Error('"reason" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "parameter" || key === "reason" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous1(obj) {
      let json = "";
      if (obj === null) return JSON_STR_NULL;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/errors' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous2(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous2(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_type_1 = obj["type"];
      if (value_type_1 !== void 0) {
        json += '{"type":';
        if (typeof value_type_1 !== "string") {
          if (value_type_1 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_type_1 instanceof Date) {
            json += JSON_STR_QUOTE + value_type_1.toISOString() + JSON_STR_QUOTE;
          } else if (value_type_1 instanceof RegExp) {
            json += asString(value_type_1.source);
          } else {
            json += asString(value_type_1.toString());
          }
        } else {
          json += asString(value_type_1);
        }
      } else {
        throw new Error('"type" is required!');
      }
      const value_title_2 = obj["title"];
      if (value_title_2 !== void 0) {
        json += ',"title":';
        if (typeof value_title_2 !== "string") {
          if (value_title_2 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_title_2 instanceof Date) {
            json += JSON_STR_QUOTE + value_title_2.toISOString() + JSON_STR_QUOTE;
          } else if (value_title_2 instanceof RegExp) {
            json += asString(value_title_2.source);
          } else {
            json += asString(value_title_2.toString());
          }
        } else {
          json += asString(value_title_2);
        }
      } else {
        throw new Error('"title" is required!');
      }
      const value_status_3 = obj["status"];
      if (value_status_3 !== void 0) {
        json += ',"status":';
        json += asInteger(value_status_3);
      } else {
        throw new Error('"status" is required!');
      }
      const value_detail_4 = obj["detail"];
      if (value_detail_4 !== void 0) {
        json += ',"detail":';
        if (value_detail_4 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_detail_4 !== "string") {
            if (value_detail_4 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_detail_4 instanceof Date) {
              json += JSON_STR_QUOTE + value_detail_4.toISOString() + JSON_STR_QUOTE;
            } else if (value_detail_4 instanceof RegExp) {
              json += asString(value_detail_4.source);
            } else {
              json += asString(value_detail_4.toString());
            }
          } else {
            json += asString(value_detail_4);
          }
        }
      }
      const value_instance_5 = obj["instance"];
      if (value_instance_5 !== void 0) {
        json += ',"instance":';
        if (value_instance_5 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_instance_5 !== "string") {
            if (value_instance_5 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_instance_5 instanceof Date) {
              json += JSON_STR_QUOTE + value_instance_5.toISOString() + JSON_STR_QUOTE;
            } else if (value_instance_5 instanceof RegExp) {
              json += asString(value_instance_5.source);
            } else {
              json += asString(value_instance_5.toString());
            }
          } else {
            json += asString(value_instance_5);
          }
        }
      }
      const value_errors_6 = obj["errors"];
      if (value_errors_6 !== void 0) {
        json += ',"errors":';
        if (value_errors_6 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous1(value_errors_6);
        }
      }
      const value_request_id_10 = obj["request_id"];
      if (value_request_id_10 !== void 0) {
        json += ',"request_id":';
        if (value_request_id_10 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_request_id_10 !== "string") {
            if (value_request_id_10 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_request_id_10 instanceof Date) {
              json += JSON_STR_QUOTE + value_request_id_10.toISOString() + JSON_STR_QUOTE;
            } else if (value_request_id_10 instanceof RegExp) {
              json += asString(value_request_id_10.source);
            } else {
              json += asString(value_request_id_10.toString());
            }
          } else {
            json += asString(value_request_id_10);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "type" || key === "title" || key === "status" || key === "detail" || key === "instance" || key === "errors" || key === "request_id" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var User = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous3(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_logo_10 = obj["logo"];
      if (value_logo_10 !== void 0) {
        json += '{"logo":';
        if (typeof value_logo_10 !== "string") {
          if (value_logo_10 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_logo_10 instanceof Date) {
            json += JSON_STR_QUOTE + value_logo_10.toISOString() + JSON_STR_QUOTE;
          } else if (value_logo_10 instanceof RegExp) {
            json += asString(value_logo_10.source);
          } else {
            json += asString(value_logo_10.toString());
          }
        } else {
          json += asString(value_logo_10);
        }
      } else {
        throw new Error('"logo" is required!');
      }
      const value_name_11 = obj["name"];
      if (value_name_11 !== void 0) {
        json += ',"name":';
        if (typeof value_name_11 !== "string") {
          if (value_name_11 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_name_11 instanceof Date) {
            json += JSON_STR_QUOTE + value_name_11.toISOString() + JSON_STR_QUOTE;
          } else if (value_name_11 instanceof RegExp) {
            json += asString(value_name_11.source);
          } else {
            json += asString(value_name_11.toString());
          }
        } else {
          json += asString(value_name_11);
        }
      } else {
        throw new Error('"name" is required!');
      }
      const value_slug_12 = obj["slug"];
      if (value_slug_12 !== void 0) {
        json += ',"slug":';
        if (typeof value_slug_12 !== "string") {
          if (value_slug_12 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_slug_12 instanceof Date) {
            json += JSON_STR_QUOTE + value_slug_12.toISOString() + JSON_STR_QUOTE;
          } else if (value_slug_12 instanceof RegExp) {
            json += asString(value_slug_12.source);
          } else {
            json += asString(value_slug_12.toString());
          }
        } else {
          json += asString(value_slug_12);
        }
      } else {
        throw new Error('"slug" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "logo" || key === "name" || key === "slug" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous2(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_created_on_7 = obj["created_on"];
      if (value_created_on_7 !== void 0) {
        json += '{"created_on":';
        if (typeof value_created_on_7 !== "string") {
          if (value_created_on_7 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_7 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_7.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_7 instanceof RegExp) {
            json += asString(value_created_on_7.source);
          } else {
            json += asString(value_created_on_7.toString());
          }
        } else {
          json += asString(value_created_on_7);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_source_8 = obj["source"];
      if (value_source_8 !== void 0) {
        json += ',"source":';
        json += anonymous3(value_source_8);
      } else {
        throw new Error('"source" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "created_on" || key === "source" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous1(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/connected_sources' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous2(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous2(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous4(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_id_15 = obj["id"];
      if (value_id_15 !== void 0) {
        json += '{"id":';
        if (typeof value_id_15 !== "string") {
          if (value_id_15 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_id_15 instanceof Date) {
            json += JSON_STR_QUOTE + value_id_15.toISOString() + JSON_STR_QUOTE;
          } else if (value_id_15 instanceof RegExp) {
            json += asString(value_id_15.source);
          } else {
            json += asString(value_id_15.toString());
          }
        } else {
          json += asString(value_id_15);
        }
      } else {
        throw new Error('"id" is required!');
      }
      const value_source_slug_16 = obj["source_slug"];
      if (value_source_slug_16 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_16 !== "string") {
          if (value_source_slug_16 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_16 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_16.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_16 instanceof RegExp) {
            json += asString(value_source_slug_16.source);
          } else {
            json += asString(value_source_slug_16.toString());
          }
        } else {
          json += asString(value_source_slug_16);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_17 = obj["updated_at"];
      if (value_updated_at_17 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_17 !== "string") {
          if (value_updated_at_17 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_17 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_17.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_17 instanceof RegExp) {
            json += asString(value_updated_at_17.source);
          } else {
            json += asString(value_updated_at_17.toString());
          }
        } else {
          json += asString(value_updated_at_17);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "id" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous5(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_value_20 = obj["value"];
      if (value_value_20 !== void 0) {
        json += '{"value":';
        if (typeof value_value_20 !== "string") {
          if (value_value_20 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_value_20 instanceof Date) {
            json += JSON_STR_QUOTE + value_value_20.toISOString() + JSON_STR_QUOTE;
          } else if (value_value_20 instanceof RegExp) {
            json += asString(value_value_20.source);
          } else {
            json += asString(value_value_20.toString());
          }
        } else {
          json += asString(value_value_20);
        }
      } else {
        throw new Error('"value" is required!');
      }
      const value_source_slug_21 = obj["source_slug"];
      if (value_source_slug_21 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_21 !== "string") {
          if (value_source_slug_21 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_21 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_21.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_21 instanceof RegExp) {
            json += asString(value_source_slug_21.source);
          } else {
            json += asString(value_source_slug_21.toString());
          }
        } else {
          json += asString(value_source_slug_21);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_22 = obj["updated_at"];
      if (value_updated_at_22 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_22 !== "string") {
          if (value_updated_at_22 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_22 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_22.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_22 instanceof RegExp) {
            json += asString(value_updated_at_22.source);
          } else {
            json += asString(value_updated_at_22.toString());
          }
        } else {
          json += asString(value_updated_at_22);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "value" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_user_id_1 = obj["user_id"];
      if (value_user_id_1 !== void 0) {
        json += '{"user_id":';
        if (typeof value_user_id_1 !== "string") {
          if (value_user_id_1 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_user_id_1 instanceof Date) {
            json += JSON_STR_QUOTE + value_user_id_1.toISOString() + JSON_STR_QUOTE;
          } else if (value_user_id_1 instanceof RegExp) {
            json += asString(value_user_id_1.source);
          } else {
            json += asString(value_user_id_1.toString());
          }
        } else {
          json += asString(value_user_id_1);
        }
      } else {
        throw new Error('"user_id" is required!');
      }
      const value_team_id_2 = obj["team_id"];
      if (value_team_id_2 !== void 0) {
        json += ',"team_id":';
        if (typeof value_team_id_2 !== "string") {
          if (value_team_id_2 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_team_id_2 instanceof Date) {
            json += JSON_STR_QUOTE + value_team_id_2.toISOString() + JSON_STR_QUOTE;
          } else if (value_team_id_2 instanceof RegExp) {
            json += asString(value_team_id_2.source);
          } else {
            json += asString(value_team_id_2.toString());
          }
        } else {
          json += asString(value_team_id_2);
        }
      } else {
        throw new Error('"team_id" is required!');
      }
      const value_client_user_id_3 = obj["client_user_id"];
      if (value_client_user_id_3 !== void 0) {
        json += ',"client_user_id":';
        if (typeof value_client_user_id_3 !== "string") {
          if (value_client_user_id_3 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_client_user_id_3 instanceof Date) {
            json += JSON_STR_QUOTE + value_client_user_id_3.toISOString() + JSON_STR_QUOTE;
          } else if (value_client_user_id_3 instanceof RegExp) {
            json += asString(value_client_user_id_3.source);
          } else {
            json += asString(value_client_user_id_3.toString());
          }
        } else {
          json += asString(value_client_user_id_3);
        }
      } else {
        throw new Error('"client_user_id" is required!');
      }
      const value_created_on_4 = obj["created_on"];
      if (value_created_on_4 !== void 0) {
        json += ',"created_on":';
        if (typeof value_created_on_4 !== "string") {
          if (value_created_on_4 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_4 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_4.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_4 instanceof RegExp) {
            json += asString(value_created_on_4.source);
          } else {
            json += asString(value_created_on_4.toString());
          }
        } else {
          json += asString(value_created_on_4);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_connected_sources_5 = obj["connected_sources"];
      if (value_connected_sources_5 !== void 0) {
        json += ',"connected_sources":';
        json += anonymous1(value_connected_sources_5);
      } else {
        throw new Error('"connected_sources" is required!');
      }
      const value_fallback_time_zone_13 = obj["fallback_time_zone"];
      if (value_fallback_time_zone_13 !== void 0) {
        json += ',"fallback_time_zone":';
        json += anonymous4(value_fallback_time_zone_13);
      } else {
        throw new Error('"fallback_time_zone" is required!');
      }
      const value_fallback_birth_date_18 = obj["fallback_birth_date"];
      if (value_fallback_birth_date_18 !== void 0) {
        json += ',"fallback_birth_date":';
        if (value_fallback_birth_date_18 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous5(value_fallback_birth_date_18);
        }
      }
      const value_ingestion_start_23 = obj["ingestion_start"];
      if (value_ingestion_start_23 !== void 0) {
        json += ',"ingestion_start":';
        if (value_ingestion_start_23 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_start_23 !== "string") {
            if (value_ingestion_start_23 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_start_23 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_start_23.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_start_23 instanceof RegExp) {
              json += asString(value_ingestion_start_23.source);
            } else {
              json += asString(value_ingestion_start_23.toString());
            }
          } else {
            json += asString(value_ingestion_start_23);
          }
        }
      }
      const value_ingestion_end_24 = obj["ingestion_end"];
      if (value_ingestion_end_24 !== void 0) {
        json += ',"ingestion_end":';
        if (value_ingestion_end_24 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_end_24 !== "string") {
            if (value_ingestion_end_24 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_end_24 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_end_24.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_end_24 instanceof RegExp) {
              json += asString(value_ingestion_end_24.source);
            } else {
              json += asString(value_ingestion_end_24.toString());
            }
          } else {
            json += asString(value_ingestion_end_24);
          }
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "user_id" || key === "team_id" || key === "client_user_id" || key === "created_on" || key === "connected_sources" || key === "fallback_birth_date" || key === "ingestion_start" || key === "ingestion_end" || key === "fallback_time_zone" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
var UserList = (() => {
  const module = {};
  "use strict";
  const Serializer = require_serializer();
  const serializerState = { "mode": "standalone" };
  const serializer = Serializer.restoreFromState(serializerState);
  const validator = null;
  module.exports = (function anonymous(validator2, serializer2) {
    const {
      asString,
      asNumber,
      asBoolean,
      asDateTime,
      asDate,
      asTime,
      asUnsafeString,
      asPlainStringArray
    } = serializer2;
    const asInteger = serializer2.asInteger.bind(serializer2);
    const JSON_STR_BEGIN_OBJECT = "{";
    const JSON_STR_END_OBJECT = "}";
    const JSON_STR_BEGIN_ARRAY = "[";
    const JSON_STR_END_ARRAY = "]";
    const JSON_STR_COMMA = ",";
    const JSON_STR_COLONS = ":";
    const JSON_STR_QUOTE = '"';
    const JSON_STR_EMPTY_OBJECT = JSON_STR_BEGIN_OBJECT + JSON_STR_END_OBJECT;
    const JSON_STR_EMPTY_ARRAY = JSON_STR_BEGIN_ARRAY + JSON_STR_END_ARRAY;
    const JSON_STR_EMPTY_STRING = JSON_STR_QUOTE + JSON_STR_QUOTE;
    const JSON_STR_NULL = "null";
    function anonymous5(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_logo_12 = obj["logo"];
      if (value_logo_12 !== void 0) {
        json += '{"logo":';
        if (typeof value_logo_12 !== "string") {
          if (value_logo_12 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_logo_12 instanceof Date) {
            json += JSON_STR_QUOTE + value_logo_12.toISOString() + JSON_STR_QUOTE;
          } else if (value_logo_12 instanceof RegExp) {
            json += asString(value_logo_12.source);
          } else {
            json += asString(value_logo_12.toString());
          }
        } else {
          json += asString(value_logo_12);
        }
      } else {
        throw new Error('"logo" is required!');
      }
      const value_name_13 = obj["name"];
      if (value_name_13 !== void 0) {
        json += ',"name":';
        if (typeof value_name_13 !== "string") {
          if (value_name_13 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_name_13 instanceof Date) {
            json += JSON_STR_QUOTE + value_name_13.toISOString() + JSON_STR_QUOTE;
          } else if (value_name_13 instanceof RegExp) {
            json += asString(value_name_13.source);
          } else {
            json += asString(value_name_13.toString());
          }
        } else {
          json += asString(value_name_13);
        }
      } else {
        throw new Error('"name" is required!');
      }
      const value_slug_14 = obj["slug"];
      if (value_slug_14 !== void 0) {
        json += ',"slug":';
        if (typeof value_slug_14 !== "string") {
          if (value_slug_14 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_slug_14 instanceof Date) {
            json += JSON_STR_QUOTE + value_slug_14.toISOString() + JSON_STR_QUOTE;
          } else if (value_slug_14 instanceof RegExp) {
            json += asString(value_slug_14.source);
          } else {
            json += asString(value_slug_14.toString());
          }
        } else {
          json += asString(value_slug_14);
        }
      } else {
        throw new Error('"slug" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "logo" || key === "name" || key === "slug" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous4(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_created_on_9 = obj["created_on"];
      if (value_created_on_9 !== void 0) {
        json += '{"created_on":';
        if (typeof value_created_on_9 !== "string") {
          if (value_created_on_9 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_9 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_9.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_9 instanceof RegExp) {
            json += asString(value_created_on_9.source);
          } else {
            json += asString(value_created_on_9.toString());
          }
        } else {
          json += asString(value_created_on_9);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_source_10 = obj["source"];
      if (value_source_10 !== void 0) {
        json += ',"source":';
        json += anonymous5(value_source_10);
      } else {
        throw new Error('"source" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "created_on" || key === "source" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous3(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/users/items/properties/connected_sources' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous4(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous4(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous6(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_value_17 = obj["value"];
      if (value_value_17 !== void 0) {
        json += '{"value":';
        if (typeof value_value_17 !== "string") {
          if (value_value_17 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_value_17 instanceof Date) {
            json += JSON_STR_QUOTE + value_value_17.toISOString() + JSON_STR_QUOTE;
          } else if (value_value_17 instanceof RegExp) {
            json += asString(value_value_17.source);
          } else {
            json += asString(value_value_17.toString());
          }
        } else {
          json += asString(value_value_17);
        }
      } else {
        throw new Error('"value" is required!');
      }
      const value_source_slug_18 = obj["source_slug"];
      if (value_source_slug_18 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_18 !== "string") {
          if (value_source_slug_18 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_18 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_18.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_18 instanceof RegExp) {
            json += asString(value_source_slug_18.source);
          } else {
            json += asString(value_source_slug_18.toString());
          }
        } else {
          json += asString(value_source_slug_18);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_19 = obj["updated_at"];
      if (value_updated_at_19 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_19 !== "string") {
          if (value_updated_at_19 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_19 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_19.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_19 instanceof RegExp) {
            json += asString(value_updated_at_19.source);
          } else {
            json += asString(value_updated_at_19.toString());
          }
        } else {
          json += asString(value_updated_at_19);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "value" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous7(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_NULL;
      let json = "";
      const value_id_24 = obj["id"];
      if (value_id_24 !== void 0) {
        json += '{"id":';
        if (typeof value_id_24 !== "string") {
          if (value_id_24 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_id_24 instanceof Date) {
            json += JSON_STR_QUOTE + value_id_24.toISOString() + JSON_STR_QUOTE;
          } else if (value_id_24 instanceof RegExp) {
            json += asString(value_id_24.source);
          } else {
            json += asString(value_id_24.toString());
          }
        } else {
          json += asString(value_id_24);
        }
      } else {
        throw new Error('"id" is required!');
      }
      const value_source_slug_25 = obj["source_slug"];
      if (value_source_slug_25 !== void 0) {
        json += ',"source_slug":';
        if (typeof value_source_slug_25 !== "string") {
          if (value_source_slug_25 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_source_slug_25 instanceof Date) {
            json += JSON_STR_QUOTE + value_source_slug_25.toISOString() + JSON_STR_QUOTE;
          } else if (value_source_slug_25 instanceof RegExp) {
            json += asString(value_source_slug_25.source);
          } else {
            json += asString(value_source_slug_25.toString());
          }
        } else {
          json += asString(value_source_slug_25);
        }
      } else {
        throw new Error('"source_slug" is required!');
      }
      const value_updated_at_26 = obj["updated_at"];
      if (value_updated_at_26 !== void 0) {
        json += ',"updated_at":';
        if (typeof value_updated_at_26 !== "string") {
          if (value_updated_at_26 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_updated_at_26 instanceof Date) {
            json += JSON_STR_QUOTE + value_updated_at_26.toISOString() + JSON_STR_QUOTE;
          } else if (value_updated_at_26 instanceof RegExp) {
            json += asString(value_updated_at_26.source);
          } else {
            json += asString(value_updated_at_26.toString());
          }
        } else {
          json += asString(value_updated_at_26);
        }
      } else {
        throw new Error('"updated_at" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "id" || key === "source_slug" || key === "updated_at" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous2(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_user_id_3 = obj["user_id"];
      if (value_user_id_3 !== void 0) {
        json += '{"user_id":';
        if (typeof value_user_id_3 !== "string") {
          if (value_user_id_3 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_user_id_3 instanceof Date) {
            json += JSON_STR_QUOTE + value_user_id_3.toISOString() + JSON_STR_QUOTE;
          } else if (value_user_id_3 instanceof RegExp) {
            json += asString(value_user_id_3.source);
          } else {
            json += asString(value_user_id_3.toString());
          }
        } else {
          json += asString(value_user_id_3);
        }
      } else {
        throw new Error('"user_id" is required!');
      }
      const value_team_id_4 = obj["team_id"];
      if (value_team_id_4 !== void 0) {
        json += ',"team_id":';
        if (typeof value_team_id_4 !== "string") {
          if (value_team_id_4 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_team_id_4 instanceof Date) {
            json += JSON_STR_QUOTE + value_team_id_4.toISOString() + JSON_STR_QUOTE;
          } else if (value_team_id_4 instanceof RegExp) {
            json += asString(value_team_id_4.source);
          } else {
            json += asString(value_team_id_4.toString());
          }
        } else {
          json += asString(value_team_id_4);
        }
      } else {
        throw new Error('"team_id" is required!');
      }
      const value_client_user_id_5 = obj["client_user_id"];
      if (value_client_user_id_5 !== void 0) {
        json += ',"client_user_id":';
        if (typeof value_client_user_id_5 !== "string") {
          if (value_client_user_id_5 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_client_user_id_5 instanceof Date) {
            json += JSON_STR_QUOTE + value_client_user_id_5.toISOString() + JSON_STR_QUOTE;
          } else if (value_client_user_id_5 instanceof RegExp) {
            json += asString(value_client_user_id_5.source);
          } else {
            json += asString(value_client_user_id_5.toString());
          }
        } else {
          json += asString(value_client_user_id_5);
        }
      } else {
        throw new Error('"client_user_id" is required!');
      }
      const value_created_on_6 = obj["created_on"];
      if (value_created_on_6 !== void 0) {
        json += ',"created_on":';
        if (typeof value_created_on_6 !== "string") {
          if (value_created_on_6 === null) {
            json += JSON_STR_EMPTY_STRING;
          } else if (value_created_on_6 instanceof Date) {
            json += JSON_STR_QUOTE + value_created_on_6.toISOString() + JSON_STR_QUOTE;
          } else if (value_created_on_6 instanceof RegExp) {
            json += asString(value_created_on_6.source);
          } else {
            json += asString(value_created_on_6.toString());
          }
        } else {
          json += asString(value_created_on_6);
        }
      } else {
        throw new Error('"created_on" is required!');
      }
      const value_connected_sources_7 = obj["connected_sources"];
      if (value_connected_sources_7 !== void 0) {
        json += ',"connected_sources":';
        json += anonymous3(value_connected_sources_7);
      } else {
        throw new Error('"connected_sources" is required!');
      }
      const value_fallback_birth_date_15 = obj["fallback_birth_date"];
      if (value_fallback_birth_date_15 !== void 0) {
        json += ',"fallback_birth_date":';
        if (value_fallback_birth_date_15 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous6(value_fallback_birth_date_15);
        }
      }
      const value_ingestion_start_20 = obj["ingestion_start"];
      if (value_ingestion_start_20 !== void 0) {
        json += ',"ingestion_start":';
        if (value_ingestion_start_20 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_start_20 !== "string") {
            if (value_ingestion_start_20 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_start_20 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_start_20.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_start_20 instanceof RegExp) {
              json += asString(value_ingestion_start_20.source);
            } else {
              json += asString(value_ingestion_start_20.toString());
            }
          } else {
            json += asString(value_ingestion_start_20);
          }
        }
      }
      const value_ingestion_end_21 = obj["ingestion_end"];
      if (value_ingestion_end_21 !== void 0) {
        json += ',"ingestion_end":';
        if (value_ingestion_end_21 === null) {
          json += JSON_STR_NULL;
        } else {
          if (typeof value_ingestion_end_21 !== "string") {
            if (value_ingestion_end_21 === null) {
              json += JSON_STR_EMPTY_STRING;
            } else if (value_ingestion_end_21 instanceof Date) {
              json += JSON_STR_QUOTE + value_ingestion_end_21.toISOString() + JSON_STR_QUOTE;
            } else if (value_ingestion_end_21 instanceof RegExp) {
              json += asString(value_ingestion_end_21.source);
            } else {
              json += asString(value_ingestion_end_21.toString());
            }
          } else {
            json += asString(value_ingestion_end_21);
          }
        }
      }
      const value_fallback_time_zone_22 = obj["fallback_time_zone"];
      if (value_fallback_time_zone_22 !== void 0) {
        json += ',"fallback_time_zone":';
        if (value_fallback_time_zone_22 === null) {
          json += JSON_STR_NULL;
        } else {
          json += anonymous7(value_fallback_time_zone_22);
        }
      }
      for (const key of Object.keys(obj)) {
        if (key === "user_id" || key === "team_id" || key === "client_user_id" || key === "created_on" || key === "connected_sources" || key === "fallback_birth_date" || key === "ingestion_start" || key === "ingestion_end" || key === "fallback_time_zone" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    function anonymous1(obj) {
      let json = "";
      if (obj === null) return JSON_STR_EMPTY_ARRAY;
      if (!Array.isArray(obj)) {
        throw new TypeError("The value of '#/properties/users' does not match schema definition.");
      }
      const arrayLength = obj.length;
      json += JSON_STR_BEGIN_ARRAY;
      if (arrayLength > 0) {
        const value = obj[0];
        json += anonymous2(value);
        for (let i = 1; i < arrayLength; i++) {
          json += JSON_STR_COMMA;
          const value2 = obj[i];
          json += anonymous2(value2);
        }
      }
      return json + JSON_STR_END_ARRAY;
    }
    function anonymous0(input) {
      const obj = input && typeof input.toJSON === "function" ? input.toJSON() : input;
      if (obj === null) return JSON_STR_EMPTY_OBJECT;
      let json = "";
      const value_users_1 = obj["users"];
      if (value_users_1 !== void 0) {
        json += '{"users":';
        json += anonymous1(value_users_1);
      } else {
        throw new Error('"users" is required!');
      }
      const value_total_27 = obj["total"];
      if (value_total_27 !== void 0) {
        json += ',"total":';
        json += asInteger(value_total_27);
      } else {
        throw new Error('"total" is required!');
      }
      const value_offset_28 = obj["offset"];
      if (value_offset_28 !== void 0) {
        json += ',"offset":';
        json += asInteger(value_offset_28);
      } else {
        throw new Error('"offset" is required!');
      }
      const value_limit_29 = obj["limit"];
      if (value_limit_29 !== void 0) {
        json += ',"limit":';
        json += asInteger(value_limit_29);
      } else {
        throw new Error('"limit" is required!');
      }
      for (const key of Object.keys(obj)) {
        if (key === "users" || key === "total" || key === "offset" || key === "limit" || obj[key] === void 0 || typeof obj[key] === "function" || typeof obj[key] === "symbol") continue;
        const value = obj[key];
        json += JSON_STR_COMMA;
        json += asString(key) + JSON_STR_COLONS + JSON.stringify(value);
      }
      return json + JSON_STR_END_OBJECT;
    }
    const main = anonymous0;
    return main;
  })(validator, serializer);
  return module.exports;
})();
export {
  GroupedMindfulnessMinutes,
  Insurance,
  LabOrderResult,
  ListedUser,
  MindfulnessMinutesPoint,
  ProblemDetails,
  User,
  UserList
};
