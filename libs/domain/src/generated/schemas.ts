// Generated from the DTO classes by `npm run generate`; do not edit.
import type { JsonSchema } from '../validation/json-schema.ts';

export const SCHEMAS = {
  "Address": {
    "type": "object",
    "description": "Postal address of the insured person.",
    "properties": {
      "first_line": {
        "description": "Street and number.",
        "type": "string"
      },
      "second_line": {
        "description": "Apartment, building or care of.",
        "type": [
          "string",
          "null"
        ]
      },
      "zip_code": {
        "description": "Postal code.",
        "type": "string"
      },
      "state": {
        "description": "State or province.",
        "type": "string"
      },
      "city": {
        "description": "City.",
        "type": "string"
      }
    },
    "required": [
      "first_line",
      "zip_code",
      "state",
      "city"
    ]
  },
  "AuditActor": {
    "type": "object",
    "description": "Who acted, by name as of now: names are not in the log.",
    "properties": {
      "type": {
        "description": "Kind of the actor.",
        "type": "string",
        "x-extensible-enum": [
          "staff",
          "key",
          "system",
          "anonymous"
        ]
      },
      "id": {
        "description": "Id of the staff member or of the key, or the user of the command line; null if there is none.",
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "description": "Name of the staff member, or label of the key; null if there is none, or no longer.",
        "type": [
          "string",
          "null"
        ]
      },
      "role": {
        "description": "The role in which they acted; null without one.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "type"
    ]
  },
  "AuditAlarmsQuery": {
    "type": "object",
    "description": "Page of the alarms to list.",
    "properties": {
      "cursor": {
        "description": "`next_cursor` of the previous page.",
        "type": "string"
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "AuditCheckpointState": {
    "type": "object",
    "description": "A checkpoint of the log.",
    "properties": {
      "size": {
        "description": "Records of the log at this checkpoint.",
        "minimum": 0,
        "type": "integer"
      },
      "root": {
        "description": "Root hash of the tree, Base64.",
        "type": "string"
      },
      "note": {
        "description": "The signed checkpoint itself (C2SP tlog-checkpoint).",
        "type": "string"
      },
      "at": {
        "description": "When it was still that of the log.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      }
    },
    "required": [
      "size",
      "root",
      "note"
    ]
  },
  "AuditConsistencyProof": {
    "type": "object",
    "description": "Proof that an audit log is append-only (RFC 6962).",
    "properties": {
      "log_id": {
        "description": "Id of the log.",
        "type": "string"
      },
      "from": {
        "description": "Size of the earlier tree.",
        "minimum": 0,
        "type": "integer"
      },
      "to": {
        "description": "Size of the later tree.",
        "minimum": 0,
        "type": "integer"
      },
      "proof": {
        "description": "Hashes that connect the two roots, Base64.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "checkpoint": {
        "description": "The signed checkpoint of the later tree.",
        "type": "string"
      }
    },
    "required": [
      "log_id",
      "from",
      "to",
      "proof",
      "checkpoint"
    ]
  },
  "AuditDevice": {
    "type": "object",
    "description": "A desk, by name as of now.",
    "properties": {
      "id": {
        "description": "Id of the desk.",
        "type": "string"
      },
      "name": {
        "description": "Name of the desk; null if there is none, or no longer.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "id"
    ]
  },
  "AuditEvent": {
    "type": "object",
    "description": "A record of the audit log.",
    "properties": {
      "record_id": {
        "description": "Id of the record (`x-audit-record-id`).",
        "type": "string"
      },
      "log_id": {
        "description": "Id of its log.",
        "type": [
          "string",
          "null"
        ]
      },
      "salt": {
        "description": "Salt of the record's leaf in the tree, Base64.",
        "type": "string"
      },
      "patients": {
        "description": "User ids of the patients whose data was returned, also where `body` has them packed.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "occurred_at": {
        "description": "When it happened.",
        "type": "string",
        "format": "date-time"
      },
      "actor": {
        "description": "Who acted.",
        "$ref": "#/$defs/AuditActor"
      },
      "session_id": {
        "description": "Id of the session of a staff member; null for a key.",
        "type": [
          "string",
          "null"
        ]
      },
      "device": {
        "description": "The desk; null if it is not known.",
        "anyOf": [
          {
            "$ref": "#/$defs/AuditDevice"
          },
          {
            "type": "null"
          }
        ]
      },
      "body": {
        "description": "The fields of the record, as they were hashed; several patients are packed: base64url of 16 bytes for each.",
        "type": "object"
      }
    },
    "required": [
      "record_id",
      "salt",
      "patients",
      "occurred_at",
      "actor",
      "body"
    ]
  },
  "AuditEventsPage": {
    "type": "object",
    "description": "A page of the audit log.",
    "properties": {
      "log_id": {
        "description": "Id of the log of the events; null if they are of several logs.",
        "type": [
          "string",
          "null"
        ]
      },
      "user_id": {
        "description": "The user of `client_user_id`; missing or null where events were not asked for by it.",
        "type": [
          "string",
          "null"
        ]
      },
      "events": {
        "description": "The events, newest first.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/AuditEvent"
        }
      },
      "next_cursor": {
        "description": "Cursor of the next page; null on the last page.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "events"
    ]
  },
  "AuditEventsQuery": {
    "type": "object",
    "description": "Filter of the events of the audit log; all conditions must match.",
    "properties": {
      "client_user_id": {
        "description": "As `patient`, by the user's id in the team's own system; not beside it. Unknown: 404.",
        "type": "string"
      },
      "actor_id": {
        "description": "Only events of this staff member or API key: what they did, and with `decision=allowed` what they saw.",
        "type": "string",
        "format": "actor-id"
      },
      "operation": {
        "description": "Only this operation.",
        "type": "string",
        "format": "operation-name"
      },
      "decision": {
        "description": "Only this outcome.",
        "type": "string",
        "enum": [
          "allowed",
          "denied",
          "not_found",
          "invalid",
          "failed"
        ]
      },
      "from": {
        "description": "Only events from this date (00:00:00 UTC) or date-time on.",
        "type": "string",
        "format": "query-date"
      },
      "to": {
        "description": "Only events up to this date (23:59:59 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "log": {
        "description": "Only events of this log (log id).",
        "type": "string",
        "format": "log-id"
      },
      "record": {
        "description": "Only the record with this id (`x-audit-record-id`).",
        "type": "string",
        "format": "record-id"
      },
      "patient": {
        "description": "Only events in which data of this user was returned.",
        "type": "string",
        "format": "uuid"
      },
      "cursor": {
        "description": "`next_cursor` of the previous page.",
        "type": "string"
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "AuditExportQuery": {
    "type": "object",
    "description": "Events to export, as a file in parts.",
    "properties": {
      "client_user_id": {
        "description": "As `patient`, by the user's id in the team's own system; not beside it. Unknown: 404.",
        "type": "string"
      },
      "actor_id": {
        "description": "Only events of this staff member or API key: what they did, and with `decision=allowed` what they saw.",
        "type": "string",
        "format": "actor-id"
      },
      "operation": {
        "description": "Only this operation.",
        "type": "string",
        "format": "operation-name"
      },
      "decision": {
        "description": "Only this outcome.",
        "type": "string",
        "enum": [
          "allowed",
          "denied",
          "not_found",
          "invalid",
          "failed"
        ]
      },
      "from": {
        "description": "Only events from this date (00:00:00 UTC) or date-time on.",
        "type": "string",
        "format": "query-date"
      },
      "to": {
        "description": "Only events up to this date (23:59:59 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "format": {
        "description": "Form of the export.",
        "type": "string",
        "enum": [
          "csv",
          "fhir"
        ]
      },
      "patient": {
        "description": "Only events in which data of this user was returned; other patients of the same events are left out.",
        "type": "string",
        "format": "uuid"
      },
      "limit": {
        "description": "Maximum number of events of a part; default 1000.",
        "maximum": 5000,
        "type": "integer",
        "minimum": 1
      },
      "cursor": {
        "description": "`x-next-cursor` of the previous part.",
        "type": "string"
      }
    },
    "required": [
      "format"
    ],
    "additionalProperties": false
  },
  "AuditInclusionProof": {
    "type": "object",
    "description": "Proof that a record is in an audit log (RFC 6962).",
    "properties": {
      "log_id": {
        "description": "Id of the log.",
        "type": "string"
      },
      "seq": {
        "description": "Position of the record, starting at 0.",
        "minimum": 0,
        "type": "integer"
      },
      "size": {
        "description": "Size of the tree that contains the record.",
        "minimum": 0,
        "type": "integer"
      },
      "leaf_hash": {
        "description": "Hash of the record's leaf, Base64.",
        "type": "string"
      },
      "proof": {
        "description": "Hashes from the leaf up to the root, Base64.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "checkpoint": {
        "description": "The signed checkpoint of that tree.",
        "type": "string"
      }
    },
    "required": [
      "log_id",
      "seq",
      "size",
      "leaf_hash",
      "proof",
      "checkpoint"
    ]
  },
  "AuditLogQuery": {
    "type": "object",
    "description": "The audit log to read.",
    "properties": {
      "log": {
        "description": "Log id; by default the log of the responding instance.",
        "type": "string",
        "format": "log-id"
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "AuditLogState": {
    "type": "object",
    "description": "State of the audit log of the responding instance.",
    "properties": {
      "log_id": {
        "description": "Id of the log.",
        "type": "string"
      },
      "verifier_key": {
        "description": "Public key of the log (C2SP verifier key).",
        "type": "string"
      },
      "accepts_records": {
        "description": "Whether the log accepts records.",
        "type": "boolean"
      },
      "opened_at": {
        "description": "When this instance opened the log and checked its end.",
        "type": "string",
        "format": "date-time"
      },
      "checkpoint": {
        "description": "The current checkpoint.",
        "$ref": "#/$defs/AuditCheckpointState"
      },
      "verified": {
        "description": "What was verified for this answer, from the checkpoint of the start on.",
        "$ref": "#/$defs/AuditVerification"
      },
      "verified_whole": {
        "description": "The last verification of the whole log, which is made once a day; null before the first one after a start.",
        "anyOf": [
          {
            "$ref": "#/$defs/AuditWholeVerification"
          },
          {
            "type": "null"
          }
        ]
      },
      "checkpoint_copy_failing": {
        "description": "Whether the copy of checkpoints on another disk fails; null without one.",
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "required": [
      "log_id",
      "verifier_key",
      "accepts_records",
      "opened_at",
      "checkpoint",
      "verified"
    ]
  },
  "AuditProofQuery": {
    "type": "object",
    "description": "The requested proof: that `record` or `seq` is in the audit log, or that the log is append-only since `from`.",
    "properties": {
      "log": {
        "description": "Log id; by default the log of the responding instance.",
        "type": "string",
        "format": "log-id"
      },
      "record": {
        "description": "Id of a record of the team (`x-audit-record-id`).",
        "type": "string",
        "format": "record-id"
      },
      "seq": {
        "description": "Position of the record, starting at 0.",
        "minimum": 0,
        "type": "integer"
      },
      "size": {
        "description": "Size of the tree that contains the record.",
        "minimum": 0,
        "type": "integer"
      },
      "from": {
        "description": "Size of the earlier tree.",
        "minimum": 0,
        "type": "integer"
      },
      "to": {
        "description": "Size of the later tree.",
        "minimum": 0,
        "type": "integer"
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "AuditVerification": {
    "type": "object",
    "description": "What was verified for this answer.",
    "properties": {
      "at": {
        "description": "When.",
        "type": "string",
        "format": "date-time"
      },
      "from": {
        "description": "Records of the earlier checkpoint.",
        "minimum": 0,
        "type": "integer"
      },
      "to": {
        "description": "Records of the current checkpoint.",
        "minimum": 0,
        "type": "integer"
      },
      "consistent": {
        "description": "Whether the log of `to` records extends the log of `from` records.",
        "type": "boolean"
      }
    },
    "required": [
      "at",
      "from",
      "to",
      "consistent"
    ]
  },
  "AuditWholeVerification": {
    "type": "object",
    "description": "The last verification of the whole log.",
    "properties": {
      "at": {
        "description": "When it ended.",
        "type": "string",
        "format": "date-time"
      },
      "intact": {
        "description": "Whether each record, seal and hash was as it was signed.",
        "type": "boolean"
      }
    },
    "required": [
      "at",
      "intact"
    ]
  },
  "BadgeHolder": {
    "type": "object",
    "description": "Whose badge it is; a badge names, it never proves.",
    "properties": {
      "staff_id": {
        "description": "Id of the staff member.",
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "description": "Name of the staff member.",
        "type": "string"
      }
    },
    "required": [
      "staff_id",
      "name"
    ]
  },
  "BadgeRead": {
    "type": "object",
    "description": "A badge read at a desk.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string",
        "format": "uuid"
      },
      "badge": {
        "description": "What the reader sent.",
        "type": "string",
        "format": "one-line"
      }
    },
    "required": [
      "desk_id",
      "badge"
    ],
    "additionalProperties": false
  },
  "BiomarkerHistory": {
    "type": "object",
    "description": "Earlier values of one biomarker of a report.",
    "properties": {
      "slug": {
        "description": "Slug of the biomarker in the report.",
        "type": "string"
      },
      "loinc": {
        "description": "LOINC code in the report.",
        "type": [
          "string",
          "null"
        ]
      },
      "unit": {
        "description": "Unit in the report; earlier values have the same.",
        "type": [
          "string",
          "null"
        ]
      },
      "earlier": {
        "description": "Up to ten, newest first.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/EarlierResult"
        }
      }
    },
    "required": [
      "slug",
      "earlier"
    ]
  },
  "BiomarkerResult": {
    "type": "object",
    "description": "One measured biomarker.",
    "properties": {
      "name": {
        "description": "Display name of the biomarker.",
        "type": "string"
      },
      "slug": {
        "description": "Slug of the biomarker.",
        "type": "string"
      },
      "loinc": {
        "description": "LOINC code.",
        "type": [
          "string",
          "null"
        ]
      },
      "loinc_slug": {
        "description": "Slug of the LOINC code.",
        "type": [
          "string",
          "null"
        ]
      },
      "provider_id": {
        "description": "The laboratory's id of the marker.",
        "type": [
          "string",
          "null"
        ]
      },
      "source_markers": {
        "description": "The catalogue entries that the biomarker comes from.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "#/$defs/SourceMarker"
        }
      },
      "value": {
        "description": "The result as a number in `unit`, if it is numeric.",
        "type": [
          "number",
          "null"
        ]
      },
      "result": {
        "description": "The result as reported by the laboratory, such as `5.4`, `>100` or `NEGATIVE`.",
        "type": "string"
      },
      "type": {
        "description": "Kind of result.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "numeric",
          "range",
          "comment",
          "coded_value"
        ]
      },
      "unit": {
        "description": "Unit of value and range.",
        "type": [
          "string",
          "null"
        ]
      },
      "timestamp": {
        "description": "When it was measured.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "notes": {
        "description": "Notes from the laboratory.",
        "type": [
          "string",
          "null"
        ]
      },
      "min_range_value": {
        "description": "Lower bound of the reference range, in `unit`.",
        "type": [
          "number",
          "null"
        ]
      },
      "max_range_value": {
        "description": "Upper bound of the reference range, in `unit`.",
        "type": [
          "number",
          "null"
        ]
      },
      "is_above_max_range": {
        "description": "Whether the value is above the reference range.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "is_below_min_range": {
        "description": "Whether the value is below the reference range.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "interpretation": {
        "description": "Interpretation of the result by the laboratory.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "normal",
          "abnormal",
          "critical",
          "unknown"
        ]
      }
    },
    "required": [
      "result",
      "name",
      "slug"
    ]
  },
  "BreakGlassGrant": {
    "type": "object",
    "description": "An emergency access grant and its review.",
    "properties": {
      "break_glass_id": {
        "description": "Id of the emergency access grant.",
        "type": "string"
      },
      "team_id": {
        "description": "Id of the team.",
        "type": "string",
        "format": "uuid"
      },
      "key_id": {
        "description": "Id of the key with the grant; null if a staff member has it.",
        "type": [
          "string",
          "null"
        ]
      },
      "key_label": {
        "description": "Label of that key.",
        "type": [
          "string",
          "null"
        ]
      },
      "staff_id": {
        "description": "Id of the staff member with the grant; null if a key has it.",
        "type": [
          "string",
          "null"
        ]
      },
      "staff_name": {
        "description": "Name of that staff member.",
        "type": [
          "string",
          "null"
        ]
      },
      "role": {
        "description": "Role of the key or staff member.",
        "type": "string"
      },
      "user_id": {
        "description": "The user whose data could be read.",
        "type": "string",
        "format": "uuid"
      },
      "reason_code": {
        "description": "Category of the reason.",
        "type": "string"
      },
      "text": {
        "description": "Reason as text.",
        "type": "string"
      },
      "granted_at": {
        "description": "When access was granted.",
        "type": "string",
        "format": "date-time"
      },
      "expires_at": {
        "description": "When the grant expires or expired.",
        "type": "string",
        "format": "date-time"
      },
      "review_due_at": {
        "description": "When its review is due.",
        "type": "string",
        "format": "date-time"
      },
      "overdue": {
        "description": "Whether the grant was not reviewed in time.",
        "type": "boolean"
      },
      "reviewed_at": {
        "description": "When the grant was reviewed; null before.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "reviewed_by": {
        "description": "Id of the reviewing key or staff member; null before the review.",
        "type": [
          "string",
          "null"
        ]
      },
      "reviewed_by_name": {
        "description": "Name of the reviewing staff member, or label of the key; null before the review.",
        "type": [
          "string",
          "null"
        ]
      },
      "outcome": {
        "description": "Outcome of the review; null before.",
        "type": [
          "string",
          "null"
        ]
      },
      "note": {
        "description": "Remarks of the review; null if none.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "break_glass_id",
      "team_id",
      "role",
      "user_id",
      "reason_code",
      "text",
      "granted_at",
      "expires_at",
      "review_due_at",
      "overdue"
    ]
  },
  "BreakGlassGrantList": {
    "type": "object",
    "description": "Page of the emergency access grants of the team: those waiting for review oldest first, all of them newest first.",
    "properties": {
      "grants": {
        "description": "The emergency access grants.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/BreakGlassGrant"
        }
      },
      "next_cursor": {
        "description": "Cursor of the next page; null on the last page.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "grants"
    ]
  },
  "BreakGlassGranted": {
    "type": "object",
    "description": "A new emergency access grant.",
    "properties": {
      "break_glass_id": {
        "description": "Id of the emergency access grant.",
        "type": "string"
      },
      "user_id": {
        "description": "The user whose data can be read.",
        "type": "string",
        "format": "uuid"
      },
      "expires_at": {
        "description": "When the grant expires.",
        "type": "string",
        "format": "date-time"
      }
    },
    "required": [
      "break_glass_id",
      "user_id",
      "expires_at"
    ]
  },
  "BreakGlassListQuery": {
    "type": "object",
    "description": "Filter of the emergency access grants.",
    "properties": {
      "state": {
        "description": "Grants waiting for review (`open`, the default), or all.",
        "type": "string",
        "enum": [
          "open",
          "all"
        ]
      },
      "cursor": {
        "description": "`next_cursor` of the previous page.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "BreakGlassParams": {
    "type": "object",
    "description": "Path parameters of an emergency access grant.",
    "properties": {
      "break_glass_id": {
        "description": "Id of the emergency access grant.",
        "type": "string"
      }
    },
    "required": [
      "break_glass_id"
    ],
    "additionalProperties": false
  },
  "BreakGlassRequest": {
    "type": "object",
    "description": "Request for emergency access to one user.",
    "properties": {
      "reason_code": {
        "description": "Category of the reason.",
        "type": "string",
        "enum": [
          "emergency_treatment",
          "patient_unable_to_consent",
          "covering_for_colleague",
          "threat_to_health_or_safety",
          "other"
        ]
      },
      "text": {
        "description": "Reason as text: at least 20 letters or digits, of any script, and at most 2000 characters.",
        "type": "string",
        "format": "reason-text"
      },
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      },
      "id_token": {
        "description": "A new ID token (`max_age=0`), from who signed in at the identity provider.",
        "type": "string"
      },
      "nonce_random": {
        "description": "The random part of its nonce, as at the sign-in.",
        "type": "string",
        "format": "one-line"
      }
    },
    "required": [
      "reason_code",
      "text",
      "user_id"
    ],
    "additionalProperties": false
  },
  "BreakGlassReview": {
    "type": "object",
    "description": "Review of an emergency access grant.",
    "properties": {
      "outcome": {
        "description": "Outcome of the review.",
        "type": "string",
        "enum": [
          "justified",
          "not_justified"
        ]
      },
      "note": {
        "description": "Remarks, at most 2000 characters.",
        "type": "string",
        "format": "note-text"
      }
    },
    "required": [
      "outcome"
    ],
    "additionalProperties": false
  },
  "ConnectedSource": {
    "type": "object",
    "description": "A source that the user has connected.",
    "properties": {
      "created_on": {
        "description": "When it was connected.",
        "type": "string",
        "format": "date-time"
      },
      "source": {
        "description": "The provider.",
        "$ref": "#/$defs/Source"
      }
    },
    "required": [
      "created_on",
      "source"
    ]
  },
  "DeskEnrolment": {
    "type": "object",
    "description": "Enrolment of a desk; its key is that of the request's proof.",
    "properties": {
      "code": {
        "description": "The code that `caregate desks enrol` showed: 10 characters, with or without a hyphen.",
        "type": "string",
        "format": "enrolment-code"
      },
      "name": {
        "description": "Name of the desk, instead of the one given with the code.",
        "type": "string",
        "format": "one-line"
      }
    },
    "required": [
      "code"
    ],
    "additionalProperties": false
  },
  "DeskEvent": {
    "type": "object",
    "description": "What a desk is about to do with data that it was shown. To be sent, and answered, before it is done.",
    "properties": {
      "kind": {
        "description": "What is done.",
        "type": "string",
        "enum": [
          "print",
          "copy",
          "save",
          "export"
        ]
      },
      "document": {
        "description": "What it is done with.",
        "type": "string",
        "enum": [
          "insurance",
          "lab_report",
          "activity",
          "label",
          "disclosures",
          "screen"
        ]
      },
      "pages": {
        "description": "Number of its pages.",
        "maximum": 10000,
        "type": "integer",
        "minimum": 1
      },
      "copies": {
        "description": "Number of copies; default 1.",
        "maximum": 1000,
        "type": "integer",
        "minimum": 1
      },
      "number": {
        "description": "The desk's own number of this print, 32 hexadecimal digits, which is on its paper; another one for each print.",
        "type": "string",
        "format": "record-id"
      },
      "record_ids": {
        "description": "Ids of the records (`x-audit-record-id`) of the answers that are in the document, 1 to 200.",
        "maxItems": 200,
        "type": "array",
        "minItems": 1,
        "items": {
          "type": "string"
        }
      }
    },
    "required": [
      "kind",
      "document",
      "record_ids"
    ],
    "additionalProperties": false
  },
  "DeskEventRecorded": {
    "type": "object",
    "description": "The record of a desk event.",
    "properties": {
      "record_id": {
        "description": "Id of the record, as in `x-audit-record-id`.",
        "type": "string"
      }
    },
    "required": [
      "record_id"
    ]
  },
  "DeskKeyOffer": {
    "type": "object",
    "description": "The next key of a desk, offered by the key that it has.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string",
        "format": "uuid"
      },
      "proof": {
        "description": "A proof (DPoP) of the next key, for this request and the desk's id as its `ath`.",
        "type": "string"
      }
    },
    "required": [
      "desk_id",
      "proof"
    ],
    "additionalProperties": false
  },
  "DisclosureDesk": {
    "type": "object",
    "description": "A desk, by name as of now.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string"
      },
      "name": {
        "description": "Name of the desk; null if there is none, or no longer.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "desk_id"
    ]
  },
  "Disclosure": {
    "type": "object",
    "description": "One answer that showed data of the patient, or what a desk then did with it.",
    "properties": {
      "record_id": {
        "description": "Id of its audit record.",
        "type": "string"
      },
      "occurred_at": {
        "description": "When it happened.",
        "type": "string",
        "format": "date-time"
      },
      "actor": {
        "description": "Who was shown it.",
        "$ref": "#/$defs/AuditActor"
      },
      "session_id": {
        "description": "Id of the session of a staff member; null for a key.",
        "type": [
          "string",
          "null"
        ]
      },
      "desk": {
        "description": "The desk; null if it is not known.",
        "anyOf": [
          {
            "$ref": "#/$defs/DisclosureDesk"
          },
          {
            "type": "null"
          }
        ]
      },
      "operation": {
        "description": "The operation.",
        "type": "string"
      },
      "what": {
        "description": "The operation in words.",
        "type": "string"
      },
      "how": {
        "description": "`read`: this patient was asked for; `listed`: one of several in a list; otherwise what a desk did with it.",
        "type": "string",
        "x-extensible-enum": [
          "read",
          "listed",
          "print",
          "copy",
          "save",
          "export"
        ]
      },
      "data_category": {
        "description": "Category of the data.",
        "type": [
          "string",
          "null"
        ]
      },
      "document": {
        "description": "What a desk printed, copied, saved or exported; null for an answer.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "insurance",
          "lab_report",
          "activity",
          "label",
          "disclosures",
          "screen"
        ]
      },
      "masked": {
        "description": "Whether the role was shown fewer fields.",
        "type": "boolean"
      },
      "why": {
        "description": "Reason of the emergency access, otherwise the purpose of use; null if the role permits it and none was given.",
        "type": [
          "string",
          "null"
        ]
      },
      "break_glass_id": {
        "description": "The emergency access that permitted it; null without.",
        "type": [
          "string",
          "null"
        ]
      },
      "outcome": {
        "description": "Outcome of the request.",
        "type": "string",
        "enum": [
          "allowed",
          "denied",
          "not_found",
          "invalid",
          "failed"
        ]
      }
    },
    "required": [
      "record_id",
      "occurred_at",
      "actor",
      "operation",
      "what",
      "how",
      "masked",
      "outcome"
    ]
  },
  "DisclosureList": {
    "type": "object",
    "description": "Accounting of disclosures: a page of who was shown data of a patient, newest first.",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      },
      "from": {
        "description": "Start of the range, as asked; null if it is open.",
        "type": [
          "string",
          "null"
        ]
      },
      "to": {
        "description": "End of the range, as asked; null if it is open.",
        "type": [
          "string",
          "null"
        ]
      },
      "disclosures": {
        "description": "The disclosures, newest first.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/Disclosure"
        }
      },
      "next_cursor": {
        "description": "Cursor of the next page; null on the last page.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "user_id",
      "disclosures"
    ]
  },
  "DisclosuresParams": {
    "type": "object",
    "description": "Path parameters of an accounting of disclosures.",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "user_id"
    ],
    "additionalProperties": false
  },
  "DisclosuresQuery": {
    "type": "object",
    "description": "Range, page and language of an accounting of disclosures.",
    "properties": {
      "start_date": {
        "description": "Only disclosures from this date (00:00:00 UTC) or date-time on.",
        "type": "string",
        "format": "query-date"
      },
      "end_date": {
        "description": "Only disclosures up to this date (23:59:59 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "limit": {
        "description": "Maximum number of disclosures of a page; default 100.",
        "maximum": 500,
        "type": "integer",
        "minimum": 1
      },
      "cursor": {
        "description": "`next_cursor` of the previous page.",
        "type": "string"
      },
      "lang": {
        "description": "Language of the words; default: by `Accept-Language`, otherwise English.",
        "type": "string",
        "enum": [
          "en",
          "es",
          "ar"
        ]
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "EarlierResult": {
    "type": "object",
    "description": "A biomarker as an earlier report of the same person has it.",
    "properties": {
      "order_id": {
        "description": "The order of that report.",
        "type": "string",
        "format": "uuid"
      },
      "date": {
        "description": "Day the specimen was taken; else received, else reported.",
        "type": "string",
        "format": "date"
      },
      "measured": {
        "description": "The biomarker in that report.",
        "$ref": "#/$defs/BiomarkerResult"
      }
    },
    "required": [
      "order_id",
      "date",
      "measured"
    ]
  },
  "EnrolledDesk": {
    "type": "object",
    "description": "An enrolled desk.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "description": "Name of the desk.",
        "type": "string"
      },
      "team_id": {
        "description": "Id of its team.",
        "type": "string",
        "format": "uuid"
      },
      "clinic_name": {
        "description": "Name of the clinic; null if not configured.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "desk_id",
      "name",
      "team_id"
    ]
  },
  "FallbackBirthDate": {
    "type": "object",
    "description": "The date of birth used for providers that do not report an age; the maximum heart rate is computed from it.",
    "properties": {
      "value": {
        "description": "Date of birth, YYYY-MM-DD.",
        "type": "string",
        "format": "date"
      },
      "source_slug": {
        "description": "Slug of the source that set the value.",
        "type": "string"
      },
      "updated_at": {
        "description": "When it was set.",
        "type": "string",
        "format": "date-time"
      }
    },
    "required": [
      "value",
      "source_slug",
      "updated_at"
    ]
  },
  "FallbackTimeZone": {
    "type": "object",
    "description": "The time zone used for sources that do not report one.",
    "properties": {
      "id": {
        "description": "IANA time zone id, such as `Europe/Berlin`.",
        "type": "string",
        "format": "time-zone-id"
      },
      "source_slug": {
        "description": "Slug of the source that set the value.",
        "type": "string"
      },
      "updated_at": {
        "description": "When it was set.",
        "type": "string",
        "format": "date-time"
      }
    },
    "required": [
      "id",
      "source_slug",
      "updated_at"
    ]
  },
  "FoundPeople": {
    "type": "object",
    "description": "The people found, best first.",
    "properties": {
      "people": {
        "description": "The people.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/FoundPerson"
        }
      },
      "searched": {
        "description": "What was searched: all that is known of people, or, of an upstream, its lab orders only.",
        "type": "string",
        "enum": [
          "people",
          "orders"
        ]
      },
      "total": {
        "description": "How many people match, also beyond the limit; at least so many where `more` is true.",
        "minimum": 0,
        "type": "integer"
      },
      "more": {
        "description": "Whether more than `total` may match.",
        "type": "boolean"
      }
    },
    "required": [
      "people",
      "searched",
      "total",
      "more"
    ]
  },
  "FoundPerson": {
    "type": "object",
    "description": "A person who was found.",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      },
      "client_user_id": {
        "description": "Id of the user in the team's own system.",
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "description": "The person's name as it is known.",
        "type": [
          "string",
          "null"
        ]
      },
      "name_source": {
        "description": "Where the name comes from.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "info",
          "insurance",
          "lab_report",
          "order",
          "user"
        ]
      },
      "name_as_of": {
        "description": "Day of the record with the name.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "birth_date": {
        "description": "Date of birth, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "birth_date_source": {
        "description": "Where the date of birth comes from.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "info",
          "insurance",
          "lab_report",
          "order",
          "user"
        ]
      },
      "phone": {
        "description": "Phone number, by which people of one name and birth date are told apart.",
        "type": [
          "string",
          "null"
        ]
      },
      "phone_source": {
        "description": "Where the phone number comes from.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "info",
          "insurance",
          "lab_report",
          "order",
          "user"
        ]
      },
      "town": {
        "description": "Town and state of the address, for the same.",
        "type": [
          "string",
          "null"
        ]
      },
      "town_source": {
        "description": "Where the town comes from.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "info",
          "insurance",
          "lab_report",
          "order",
          "user"
        ]
      },
      "last_seen": {
        "description": "Day of the newest record of the person.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "matched": {
        "description": "What of the person matches the text; `near_id`: an id that is one slip from it.",
        "type": "string",
        "x-extensible-enum": [
          "id",
          "name",
          "birth_date",
          "phone",
          "near_id",
          "sound"
        ]
      },
      "matched_name": {
        "description": "The name that matches, if it is another one than `name`.",
        "type": [
          "string",
          "null"
        ]
      },
      "matched_birth_date": {
        "description": "The date of birth that matches, if another record has another one than `birth_date`.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      }
    },
    "required": [
      "user_id",
      "matched"
    ]
  },
  "GroupedMindfulnessMinutes": {
    "type": "object",
    "description": "A page of mindfulness minutes by provider (interface document 2.2).",
    "properties": {
      "groups": {
        "description": "Groups of points by the slug of the provider.",
        "type": "object",
        "additionalProperties": {
          "type": "array",
          "items": {
            "$ref": "#/$defs/MindfulnessMinutesGroup"
          }
        }
      },
      "next": {
        "description": "Cursor of the next page, or null on the last page.",
        "deprecated": true,
        "type": [
          "string",
          "null"
        ]
      },
      "next_cursor": {
        "description": "Cursor of the next page, or null on the last page.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "groups"
    ]
  },
  "Insurance": {
    "type": "object",
    "description": "A user's insurance (interface document 2.4).",
    "properties": {
      "payor_code": {
        "description": "Code of the payor.",
        "type": "string"
      },
      "member_id": {
        "description": "Member id with the payor.",
        "type": "string"
      },
      "group_id": {
        "description": "Group id with the payor.",
        "type": [
          "string",
          "null"
        ]
      },
      "relationship": {
        "description": "Relationship of the insured person to the member. Undocumented values may appear.",
        "type": "string",
        "x-extensible-enum": [
          "Self",
          "Spouse",
          "Other"
        ]
      },
      "insured": {
        "description": "The insured person.",
        "$ref": "#/$defs/InsuredPerson"
      }
    },
    "required": [
      "payor_code",
      "member_id",
      "relationship",
      "insured"
    ]
  },
  "InsuranceEnvelope": {
    "type": "object",
    "description": "A user's insurance to import.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "insurance"
        ]
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "description": "The user.",
        "type": "string",
        "format": "uuid"
      },
      "recorded_at": {
        "description": "When it was recorded; reads return the latest record.",
        "type": "string",
        "format": "date-time"
      },
      "is_primary": {
        "description": "Whether this is the primary insurance; default true.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "insurance": {
        "description": "The insurance.",
        "$ref": "#/$defs/Insurance"
      }
    },
    "required": [
      "kind",
      "team_id",
      "user_id",
      "recorded_at",
      "insurance"
    ],
    "additionalProperties": false
  },
  "InsuredPerson": {
    "type": "object",
    "description": "The insured person.",
    "properties": {
      "first_name": {
        "description": "Given name.",
        "type": "string"
      },
      "last_name": {
        "description": "Family name.",
        "type": "string"
      },
      "email": {
        "description": "E-mail address.",
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number": {
        "description": "Phone number in international format with a leading +.",
        "type": [
          "string",
          "null"
        ],
        "format": "phone-number"
      },
      "gender": {
        "description": "Gender on record with the payor.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "female",
          "male",
          "other",
          "unknown"
        ]
      },
      "dob": {
        "description": "Date of birth, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "address": {
        "description": "Postal address.",
        "anyOf": [
          {
            "$ref": "#/$defs/Address"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": [
      "first_name",
      "last_name"
    ]
  },
  "LabOrderResult": {
    "type": "object",
    "description": "The result of a lab order (interface document 2.3).",
    "properties": {
      "metadata": {
        "description": "Patient, ordering provider and laboratory of the result.",
        "$ref": "#/$defs/LabResultMetadata"
      },
      "results": {
        "description": "The biomarkers measured.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/BiomarkerResult"
        }
      },
      "missing_results": {
        "description": "The biomarkers that were ordered but not measured.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "#/$defs/MissingBiomarkerResult"
        }
      },
      "sample_information": {
        "description": "Information about the specimens, in the format of the laboratory.",
        "type": [
          "object",
          "null"
        ]
      },
      "order_transaction": {
        "description": "The order and its redraws.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderTransaction"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": [
      "metadata",
      "results"
    ]
  },
  "LabOrderResultParams": {
    "type": "object",
    "description": "Path of a lab order result (interface document 4.3).",
    "properties": {
      "order_id": {
        "description": "The order's id.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "order_id"
    ],
    "additionalProperties": false
  },
  "LabResultEnvelope": {
    "type": "object",
    "description": "A lab order's result to import.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "lab_result"
        ]
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "description": "The user whose result it is.",
        "type": "string",
        "format": "uuid"
      },
      "order_id": {
        "description": "The order.",
        "type": "string",
        "format": "uuid"
      },
      "result": {
        "description": "The result.",
        "$ref": "#/$defs/LabOrderResult"
      }
    },
    "required": [
      "kind",
      "team_id",
      "user_id",
      "order_id",
      "result"
    ],
    "additionalProperties": false
  },
  "LabResultMetadata": {
    "type": "object",
    "description": "Patient, ordering provider and laboratory of the result.",
    "properties": {
      "age": {
        "description": "The patient's age in years.",
        "type": [
          "integer",
          "null"
        ]
      },
      "dob": {
        "description": "The patient's date of birth, shown as day/month/year.",
        "type": [
          "string",
          "null"
        ]
      },
      "clia_number": {
        "description": "The laboratory's CLIA number.",
        "type": [
          "string",
          "null"
        ]
      },
      "patient": {
        "description": "The patient's name.",
        "type": [
          "string",
          "null"
        ]
      },
      "provider": {
        "description": "Name of the ordering provider.",
        "type": [
          "string",
          "null"
        ]
      },
      "laboratory": {
        "description": "The laboratory's name.",
        "type": [
          "string",
          "null"
        ]
      },
      "date_reported": {
        "description": "Day of the report, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "date_collected": {
        "description": "Day the specimen was taken, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "date_received": {
        "description": "Day the laboratory received it, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "specimen_number": {
        "description": "Number of the specimen.",
        "type": [
          "string",
          "null"
        ]
      },
      "status": {
        "description": "Whether the result may still change.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "final",
          "partial"
        ]
      },
      "interpretation": {
        "description": "Overall interpretation of the result.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "normal",
          "abnormal",
          "critical",
          "unknown"
        ]
      }
    },
    "required": []
  },
  "LatestInsuranceParams": {
    "type": "object",
    "description": "Path of a user's latest insurance (interface document 4.4).",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "user_id"
    ],
    "additionalProperties": false
  },
  "LatestInsuranceQuery": {
    "type": "object",
    "description": "Query of a user's latest insurance.",
    "properties": {
      "is_primary": {
        "description": "Whether to return the primary insurance; default true.",
        "type": [
          "boolean",
          "null"
        ]
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "ListOrdersQuery": {
    "type": "object",
    "description": "Query of the list of orders; all conditions must match.",
    "properties": {
      "user_id": {
        "description": "Only orders of this user.",
        "type": "string",
        "format": "uuid"
      },
      "patient_name": {
        "description": "Only orders whose patient's name has these words or parts of words, in any order and without accents.",
        "type": "string",
        "format": "search-text"
      },
      "search_input": {
        "description": "Only orders with this order id, user id, patient's name (as `patient_name`) or birth date.",
        "type": "string",
        "format": "search-text"
      },
      "start_date": {
        "description": "Only orders created on or after this date (00:00:00 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "end_date": {
        "description": "Only orders created up to this date (23:59:59 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "updated_start_date": {
        "description": "Only orders changed on or after this date (00:00:00 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "updated_end_date": {
        "description": "Only orders changed up to this date (23:59:59 UTC) or date-time.",
        "type": "string",
        "format": "query-date"
      },
      "status": {
        "description": "Only orders with one of these detailed statuses, such as `completed`; may be repeated.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "interpretation": {
        "description": "Only orders whose result has this interpretation.",
        "type": "string"
      },
      "order_key": {
        "description": "What to sort by; default `created_at`.",
        "type": "string",
        "enum": [
          "created_at",
          "patient_name",
          "last_status"
        ]
      },
      "order_direction": {
        "description": "Direction of the order; default `desc`.",
        "type": "string",
        "enum": [
          "asc",
          "desc"
        ]
      },
      "order_ids": {
        "description": "Only orders with one of these ids; may be repeated.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "page": {
        "description": "Number of the page, from 1; default 1.",
        "minimum": 1,
        "type": "integer"
      },
      "size": {
        "description": "Orders per page; default 50.",
        "maximum": 100,
        "type": "integer",
        "minimum": 1
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "ListUsersQuery": {
    "type": "object",
    "description": "Query of the list of users.",
    "properties": {
      "offset": {
        "description": "Number of users to skip; default 0.",
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "limit": {
        "description": "Maximum number of users to return; default 100.",
        "maximum": 500,
        "type": [
          "integer",
          "null"
        ],
        "minimum": 1
      }
    },
    "required": [],
    "additionalProperties": false
  },
  "ListedUser": {
    "type": "object",
    "description": "A user as returned by the list, where the fallback time zone is optional.",
    "properties": {
      "user_id": {
        "description": "Id of the user, used in all other operations on that user.",
        "type": "string",
        "format": "uuid"
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "client_user_id": {
        "description": "Id of the user in the team's own system, unique in the team. Must not be an e-mail address, phone number or other personal data.",
        "type": "string"
      },
      "created_on": {
        "description": "When the user was created.",
        "type": "string",
        "format": "date-time"
      },
      "connected_sources": {
        "description": "The sources that the user has connected.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/ConnectedSource"
        }
      },
      "fallback_birth_date": {
        "description": "Fallback date of birth.",
        "anyOf": [
          {
            "$ref": "#/$defs/FallbackBirthDate"
          },
          {
            "type": "null"
          }
        ]
      },
      "ingestion_start": {
        "description": "First day for which data is ingested, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "ingestion_end": {
        "description": "Last day for which data is ingested, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "fallback_time_zone": {
        "description": "Fallback time zone.",
        "anyOf": [
          {
            "$ref": "#/$defs/FallbackTimeZone"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": [
      "user_id",
      "team_id",
      "client_user_id",
      "created_on",
      "connected_sources"
    ]
  },
  "Me": {
    "type": "object",
    "description": "Who the caller is, and what the role may do.",
    "properties": {
      "kind": {
        "description": "Whether a staff member or a key.",
        "type": "string",
        "enum": [
          "staff",
          "key"
        ]
      },
      "name": {
        "description": "Name of the staff member, or label of the key.",
        "type": "string"
      },
      "role": {
        "description": "Role of the caller.",
        "type": "string"
      },
      "team_id": {
        "description": "Id of the team.",
        "type": "string",
        "format": "uuid"
      },
      "staff_id": {
        "description": "Id of the staff member; null for a key.",
        "type": [
          "string",
          "null"
        ],
        "format": "uuid"
      },
      "desk": {
        "description": "The desk; null for a key.",
        "anyOf": [
          {
            "$ref": "#/$defs/SessionDesk"
          },
          {
            "type": "null"
          }
        ]
      },
      "session": {
        "description": "The session; null for a key.",
        "anyOf": [
          {
            "$ref": "#/$defs/SessionTimes"
          },
          {
            "type": "null"
          }
        ]
      },
      "permissions": {
        "description": "`yes`, `mask`, `no` or `emergency` (only by emergency access) by the name of the operation.",
        "type": "object"
      }
    },
    "required": [
      "kind",
      "name",
      "role",
      "team_id",
      "permissions"
    ]
  },
  "MindfulnessMinutesEnvelope": {
    "type": "object",
    "description": "Mindfulness minutes of one source to import.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "mindfulness_minutes"
        ]
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "description": "The user.",
        "type": "string",
        "format": "uuid"
      },
      "source": {
        "description": "The source of the points.",
        "$ref": "#/$defs/TimeseriesSource"
      },
      "data": {
        "description": "The points.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/MindfulnessMinutesPoint"
        }
      }
    },
    "required": [
      "kind",
      "team_id",
      "user_id",
      "source",
      "data"
    ],
    "additionalProperties": false
  },
  "MindfulnessMinutesGroup": {
    "type": "object",
    "description": "The points of one source.",
    "properties": {
      "data": {
        "description": "The points, by time.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/MindfulnessMinutesPoint"
        }
      },
      "source": {
        "description": "The source of the points.",
        "$ref": "#/$defs/TimeseriesSource"
      }
    },
    "required": [
      "data",
      "source"
    ]
  },
  "MindfulnessMinutesParams": {
    "type": "object",
    "description": "Path of the grouped mindfulness timeseries (interface document 4.1).",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "user_id"
    ],
    "additionalProperties": false
  },
  "MindfulnessMinutesPoint": {
    "type": "object",
    "description": "One session of mindfulness.",
    "properties": {
      "start": {
        "description": "Start of the session, with the local offset.",
        "type": "string",
        "format": "date-time"
      },
      "end": {
        "description": "End of the session, with the local offset.",
        "type": "string",
        "format": "date-time"
      },
      "unit": {
        "description": "Always minutes.",
        "type": "string",
        "enum": [
          "min"
        ]
      },
      "value": {
        "description": "Duration in minutes.",
        "type": "number"
      }
    },
    "required": [
      "start",
      "end",
      "unit",
      "value"
    ]
  },
  "MindfulnessMinutesQuery": {
    "type": "object",
    "description": "Query of the grouped mindfulness timeseries (interface document 4.1).",
    "properties": {
      "start_date": {
        "description": "Start of the period, inclusive: a date (00:00:00 UTC) or an ISO 8601 date-time.",
        "type": "string",
        "format": "query-date"
      },
      "end_date": {
        "description": "End of the period, inclusive: a date (23:59:59 UTC) or an ISO 8601 date-time.",
        "type": [
          "string",
          "null"
        ],
        "format": "query-date"
      },
      "provider": {
        "description": "Slug of the provider; all providers if empty.",
        "type": [
          "string",
          "null"
        ]
      },
      "cursor": {
        "description": "Cursor of the page; omit for the first page.",
        "deprecated": true,
        "type": [
          "string",
          "null"
        ]
      },
      "next_cursor": {
        "description": "Cursor of the page; omit for the first page.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "start_date"
    ],
    "additionalProperties": false
  },
  "MissingBiomarkerResult": {
    "type": "object",
    "description": "A biomarker that was ordered but not measured. Its fields are decided in docs/design.md: the interface document does not specify them.",
    "properties": {
      "name": {
        "description": "Display name of the biomarker.",
        "type": "string"
      },
      "slug": {
        "description": "Slug of the biomarker.",
        "type": "string"
      },
      "loinc": {
        "description": "LOINC code.",
        "type": [
          "string",
          "null"
        ]
      },
      "loinc_slug": {
        "description": "Slug of the LOINC code.",
        "type": [
          "string",
          "null"
        ]
      },
      "provider_id": {
        "description": "The laboratory's id of the marker.",
        "type": [
          "string",
          "null"
        ]
      },
      "source_markers": {
        "description": "The catalogue entries that the biomarker comes from.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "#/$defs/SourceMarker"
        }
      },
      "inferred_failure_type": {
        "description": "Presumed reason why the result is missing.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "quantity_not_sufficient_failure",
          "collection_process_failure",
          "drop_off_failure",
          "internal_lab_failure",
          "order_entry_failure",
          "non_failure",
          "unknown_failure",
          "patient_condition_failure",
          "missing_result_calc_failure",
          "missing_demo_aoe_calc_failure",
          "insufficient_volume"
        ]
      },
      "note": {
        "description": "Notes from the laboratory.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "name",
      "slug"
    ]
  },
  "NoQuery": {
    "type": "object",
    "description": "Query of an operation that takes no parameters.",
    "properties": {},
    "required": [],
    "additionalProperties": false
  },
  "Order": {
    "type": "object",
    "description": "A lab order. What is not known is missing or null, never made up.",
    "properties": {
      "id": {
        "description": "The order's id.",
        "type": "string",
        "format": "uuid"
      },
      "team_id": {
        "description": "The team that it belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "description": "The user whom it is for.",
        "type": "string",
        "format": "uuid"
      },
      "patient_details": {
        "description": "The patient, as far as known.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderPatientDetails"
          },
          {
            "type": "null"
          }
        ]
      },
      "patient_address": {
        "description": "The patient's address.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderPatientAddress"
          },
          {
            "type": "null"
          }
        ]
      },
      "patient_name": {
        "description": "The patient's name as the lab report has it, in one piece.",
        "type": [
          "string",
          "null"
        ]
      },
      "lab_test": {
        "description": "What was ordered.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderLabTest"
          },
          {
            "type": "null"
          }
        ]
      },
      "details": {
        "description": "Details of the collection method.",
        "type": [
          "object",
          "null"
        ]
      },
      "sample_id": {
        "description": "Id of the specimen.",
        "type": [
          "string",
          "null"
        ]
      },
      "notes": {
        "description": "Notes on the order.",
        "type": [
          "string",
          "null"
        ]
      },
      "created_at": {
        "description": "When it was created.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "updated_at": {
        "description": "When it last changed.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "events": {
        "description": "Its steps, oldest first.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "#/$defs/OrderEvent"
        }
      },
      "status": {
        "description": "Where it is on its way, in short.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "received",
          "collecting_sample",
          "sample_with_lab",
          "completed",
          "cancelled",
          "failed"
        ]
      },
      "last_event": {
        "description": "The newest of its steps.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderEvent"
          },
          {
            "type": "null"
          }
        ]
      },
      "physician": {
        "description": "The physician.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderPhysician"
          },
          {
            "type": "null"
          }
        ]
      },
      "priority": {
        "description": "Whether it takes precedence at the laboratory.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "has_abn": {
        "description": "Whether the patient was told in advance that they may have to pay.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "interpretation": {
        "description": "Overall interpretation of the result.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "normal",
          "abnormal",
          "critical",
          "unknown"
        ]
      },
      "has_missing_results": {
        "description": "Whether results are missing from the report.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "origin": {
        "description": "Why the order was created.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "initial",
          "redraw",
          "recreation"
        ]
      },
      "order_transaction": {
        "description": "The order and its redraws.",
        "anyOf": [
          {
            "$ref": "#/$defs/OrderTransaction"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": [
      "id",
      "team_id",
      "user_id"
    ]
  },
  "OrderEnvelope": {
    "type": "object",
    "description": "A lab order to import; team and user are the order's own.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "order"
        ]
      },
      "order": {
        "description": "The order.",
        "$ref": "#/$defs/Order"
      }
    },
    "required": [
      "kind",
      "order"
    ],
    "additionalProperties": false
  },
  "OrderEvent": {
    "type": "object",
    "description": "A step of an order.",
    "properties": {
      "id": {
        "description": "Number of the event.",
        "type": [
          "integer",
          "null"
        ]
      },
      "created_at": {
        "description": "When it happened.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "status": {
        "description": "The status that it led to, such as `received.walk_in_test.ordered`; its last part is the detailed status.",
        "type": "string"
      },
      "status_detail": {
        "description": "More about the status.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "status"
    ]
  },
  "OrderHistory": {
    "type": "object",
    "description": "What came before the result of a lab order.",
    "properties": {
      "order_id": {
        "description": "The order.",
        "type": "string",
        "format": "uuid"
      },
      "biomarkers": {
        "description": "Each biomarker of its result that has earlier values, in the order of the result.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/BiomarkerHistory"
        }
      },
      "replaced": {
        "description": "The version that the result replaced; null if there was none, or it is not known.",
        "anyOf": [
          {
            "$ref": "#/$defs/ReplacedResult"
          },
          {
            "type": "null"
          }
        ]
      },
      "left_out": {
        "description": "Number of earlier reports left out because they have another name or birth date.",
        "minimum": 0,
        "type": "integer"
      }
    },
    "required": [
      "order_id",
      "biomarkers",
      "left_out"
    ]
  },
  "OrderHistoryParams": {
    "type": "object",
    "description": "Path of the history of a lab order's result.",
    "properties": {
      "order_id": {
        "description": "The order's id.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "order_id"
    ],
    "additionalProperties": false
  },
  "OrderLabTest": {
    "type": "object",
    "description": "What was ordered.",
    "properties": {
      "id": {
        "description": "Id of the test.",
        "type": [
          "string",
          "null"
        ]
      },
      "slug": {
        "description": "Slug of the test.",
        "type": [
          "string",
          "null"
        ]
      },
      "name": {
        "description": "Display name of the test.",
        "type": [
          "string",
          "null"
        ]
      },
      "sample_type": {
        "description": "Specimen that it needs.",
        "type": [
          "string",
          "null"
        ]
      },
      "method": {
        "description": "How the specimen is collected.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "testkit",
          "walk_in_test",
          "at_home_phlebotomy",
          "on_site_collection"
        ]
      },
      "price": {
        "description": "Price in the currency of the account.",
        "type": [
          "number",
          "null"
        ]
      },
      "is_active": {
        "description": "Whether it can be ordered.",
        "type": [
          "boolean",
          "null"
        ]
      },
      "status": {
        "description": "State of the test in the catalogue.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "OrderList": {
    "type": "object",
    "description": "A page of the team's lab orders.",
    "properties": {
      "orders": {
        "description": "The orders on this page.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/Order"
        }
      },
      "total": {
        "description": "Number of orders on all pages.",
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "page": {
        "description": "Number of this page, from 1.",
        "minimum": 1,
        "type": [
          "integer",
          "null"
        ]
      },
      "size": {
        "description": "Orders per page at most.",
        "minimum": 1,
        "type": [
          "integer",
          "null"
        ]
      }
    },
    "required": [
      "orders"
    ]
  },
  "OrderPatientAddress": {
    "type": "object",
    "description": "Where the patient of an order lives.",
    "properties": {
      "receiver_name": {
        "description": "Who receives what is sent there.",
        "type": [
          "string",
          "null"
        ]
      },
      "first_line": {
        "description": "Street and number.",
        "type": [
          "string",
          "null"
        ]
      },
      "second_line": {
        "description": "Apartment, building or care of.",
        "type": [
          "string",
          "null"
        ]
      },
      "city": {
        "description": "City.",
        "type": [
          "string",
          "null"
        ]
      },
      "state": {
        "description": "State or province.",
        "type": [
          "string",
          "null"
        ]
      },
      "zip": {
        "description": "Postal code.",
        "type": [
          "string",
          "null"
        ]
      },
      "country": {
        "description": "Country, ISO 3166-1 with two letters.",
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number": {
        "description": "Phone number.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "OrderPatientDetails": {
    "type": "object",
    "description": "The patient of an order, as far as known.",
    "properties": {
      "first_name": {
        "description": "Given names.",
        "type": [
          "string",
          "null"
        ]
      },
      "last_name": {
        "description": "Family names.",
        "type": [
          "string",
          "null"
        ]
      },
      "dob": {
        "description": "Date of birth, YYYY-MM-DD; the public API may add a time.",
        "type": [
          "string",
          "null"
        ]
      },
      "gender": {
        "description": "Gender on record.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "female",
          "male",
          "other",
          "unknown"
        ]
      },
      "phone_number": {
        "description": "Phone number.",
        "type": [
          "string",
          "null"
        ]
      },
      "email": {
        "description": "E-mail address.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "OrderPhysician": {
    "type": "object",
    "description": "The physician of an order.",
    "properties": {
      "first_name": {
        "description": "Given names.",
        "type": [
          "string",
          "null"
        ]
      },
      "last_name": {
        "description": "Family names.",
        "type": [
          "string",
          "null"
        ]
      },
      "npi": {
        "description": "National provider identifier.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "OrderTransaction": {
    "type": "object",
    "description": "All orders that belong to one test, from the first to the last redraw.",
    "properties": {
      "id": {
        "description": "The transaction's id.",
        "type": "string",
        "format": "uuid"
      },
      "status": {
        "description": "Status of the transaction.",
        "type": "string",
        "x-extensible-enum": [
          "active",
          "completed",
          "cancelled"
        ]
      },
      "orders": {
        "description": "Its orders.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/OrderTransactionOrder"
        }
      }
    },
    "required": [
      "id",
      "status",
      "orders"
    ]
  },
  "OrderTransactionOrder": {
    "type": "object",
    "description": "One order of a transaction: the initial order, or one created by a redraw or recreation.",
    "properties": {
      "id": {
        "description": "The order's id.",
        "type": "string",
        "format": "uuid"
      },
      "created_at": {
        "description": "When it was created.",
        "type": "string",
        "format": "date-time"
      },
      "updated_at": {
        "description": "When it last changed.",
        "type": "string",
        "format": "date-time"
      },
      "low_level_status": {
        "description": "Detailed status of the order.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "ordered",
          "requisition_created",
          "requisition_bypassed",
          "transit_customer",
          "out_for_delivery",
          "with_customer",
          "transit_lab",
          "delivered_to_lab",
          "completed",
          "failure_to_deliver_to_lab",
          "failure_to_deliver_to_customer",
          "problem_in_transit_lab",
          "problem_in_transit_customer",
          "sample_error",
          "appointment_scheduled",
          "appointment_cancelled",
          "appointment_pending",
          "draw_completed",
          "cancelled",
          "lost",
          "do_not_process",
          "partial_results",
          "awaiting_registration",
          "registered",
          "redraw_available",
          "corrected",
          "lab_processing_blocked"
        ]
      },
      "low_level_status_created_at": {
        "description": "When the order reached this status.",
        "type": [
          "string",
          "null"
        ],
        "format": "date-time"
      },
      "origin": {
        "description": "Why the order was created.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "initial",
          "redraw",
          "recreation"
        ]
      }
    },
    "required": [
      "id",
      "created_at",
      "updated_at"
    ]
  },
  "PeopleSearch": {
    "type": "object",
    "description": "A search for people. The text stands in the body, since names never stand in an address.",
    "properties": {
      "text": {
        "description": "Names or parts of names in any order, a birth date, digits of a phone number, or an id. At least three letters or digits, two characters of Han, Hangul or kana, or a whole date.",
        "type": "string",
        "format": "search-text"
      },
      "limit": {
        "description": "How many people at most; default 8.",
        "maximum": 20,
        "type": "integer",
        "minimum": 1
      }
    },
    "required": [
      "text"
    ],
    "additionalProperties": false
  },
  "PinDigits": {
    "type": "object",
    "description": "Numbers of digits that a PIN may have.",
    "properties": {
      "min": {
        "description": "Fewest.",
        "minimum": 6,
        "type": "integer"
      },
      "max": {
        "description": "Most.",
        "minimum": 6,
        "type": "integer"
      }
    },
    "required": [
      "min",
      "max"
    ]
  },
  "PinEntry": {
    "type": "object",
    "description": "A PIN.",
    "properties": {
      "pin": {
        "description": "6 to 12 digits.",
        "type": "string",
        "format": "pin"
      }
    },
    "required": [
      "pin"
    ],
    "additionalProperties": false
  },
  "ProblemDetails": {
    "type": "object",
    "description": "Every error of the service: a problem document (RFC 9457, `application/problem+json`).",
    "properties": {
      "type": {
        "description": "URI reference that identifies the problem type; stable.",
        "type": "string"
      },
      "title": {
        "description": "Short summary of the problem type.",
        "type": "string"
      },
      "status": {
        "description": "HTTP status.",
        "maximum": 599,
        "type": "integer",
        "minimum": 400
      },
      "detail": {
        "description": "Explanation of this occurrence of the problem.",
        "type": [
          "string",
          "null"
        ]
      },
      "instance": {
        "description": "URI reference of this occurrence.",
        "type": [
          "string",
          "null"
        ]
      },
      "errors": {
        "description": "The rejected parameters.",
        "type": [
          "array",
          "null"
        ],
        "items": {
          "$ref": "#/$defs/ProblemFieldError"
        }
      },
      "reason": {
        "description": "Why a sign-in was refused; stable.",
        "type": [
          "string",
          "null"
        ]
      },
      "order_status": {
        "description": "Where an order without a result is: the status of its newest step, such as `received.walk_in_test.ordered`, or its first part alone.",
        "type": [
          "string",
          "null"
        ]
      },
      "tries_left": {
        "description": "How many tries are left for the PIN.",
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "request_id": {
        "description": "The request's id, as in the header `x-request-id`.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "type",
      "title",
      "status"
    ]
  },
  "ProblemFieldError": {
    "type": "object",
    "description": "A rejected parameter with the reason.",
    "properties": {
      "parameter": {
        "description": "Name of the parameter, or path of the field.",
        "type": "string"
      },
      "reason": {
        "description": "Why the parameter was rejected; never contains its value.",
        "type": "string"
      }
    },
    "required": [
      "parameter",
      "reason"
    ]
  },
  "ReplacedResult": {
    "type": "object",
    "description": "The version of a result that a correction replaced.",
    "properties": {
      "replaced_at": {
        "description": "When it was replaced in the store.",
        "type": "string",
        "format": "date-time"
      },
      "result": {
        "description": "The result as it was.",
        "$ref": "#/$defs/LabOrderResult"
      }
    },
    "required": [
      "replaced_at",
      "result"
    ]
  },
  "ResolveUserParams": {
    "type": "object",
    "description": "Path of resolving a user (interface document 4.2).",
    "properties": {
      "client_user_id": {
        "description": "Id of the user in the team's own system.",
        "type": "string"
      }
    },
    "required": [
      "client_user_id"
    ],
    "additionalProperties": false
  },
  "SessionDesk": {
    "type": "object",
    "description": "A desk.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "description": "Name of the desk.",
        "type": "string"
      }
    },
    "required": [
      "desk_id",
      "name"
    ]
  },
  "Session": {
    "type": "object",
    "description": "A session of a staff member at a desk.",
    "properties": {
      "session_id": {
        "description": "Id of the session.",
        "type": "string",
        "format": "uuid"
      },
      "expires_at": {
        "description": "When it expires unless it is renewed.",
        "type": "string",
        "format": "date-time"
      },
      "ends_at": {
        "description": "When it ends in any case.",
        "type": "string",
        "format": "date-time"
      },
      "session": {
        "description": "The token for `Authorization: DPoP`; only in the answer that begins the session.",
        "type": [
          "string",
          "null"
        ]
      },
      "pin_set": {
        "description": "Whether the staff member has a PIN.",
        "type": "boolean"
      },
      "staff": {
        "description": "Whose session it is.",
        "$ref": "#/$defs/SessionStaff"
      },
      "desk": {
        "description": "At which desk.",
        "$ref": "#/$defs/SessionDesk"
      }
    },
    "required": [
      "pin_set",
      "staff",
      "desk",
      "session_id",
      "expires_at",
      "ends_at"
    ]
  },
  "SessionRequest": {
    "type": "object",
    "description": "Sign-in of a staff member at a desk: with an ID token, or with a key in the header `x-service-api-key`.",
    "properties": {
      "desk_id": {
        "description": "Id of the desk.",
        "type": "string",
        "format": "uuid"
      },
      "id_token": {
        "description": "ID token of the clinic's identity provider; missing if signed in with a key.",
        "type": "string"
      },
      "nonce_random": {
        "description": "The random part of its nonce: base64url(SHA-256(thumbprint of the desk's key, \".\", this)).",
        "type": "string",
        "format": "one-line"
      }
    },
    "required": [
      "desk_id"
    ],
    "additionalProperties": false
  },
  "SessionStaff": {
    "type": "object",
    "description": "A staff member.",
    "properties": {
      "staff_id": {
        "description": "Id of the staff member.",
        "type": "string",
        "format": "uuid"
      },
      "name": {
        "description": "Name of the staff member.",
        "type": "string"
      },
      "role": {
        "description": "Role in this session.",
        "type": "string"
      },
      "team_id": {
        "description": "Id of the team.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "staff_id",
      "name",
      "role",
      "team_id"
    ]
  },
  "SessionTimes": {
    "type": "object",
    "description": "The times of a session.",
    "properties": {
      "session_id": {
        "description": "Id of the session.",
        "type": "string",
        "format": "uuid"
      },
      "expires_at": {
        "description": "When it expires unless it is renewed.",
        "type": "string",
        "format": "date-time"
      },
      "ends_at": {
        "description": "When it ends in any case.",
        "type": "string",
        "format": "date-time"
      }
    },
    "required": [
      "session_id",
      "expires_at",
      "ends_at"
    ]
  },
  "SignInInfo": {
    "type": "object",
    "description": "What a desk needs to know before anybody has signed in.",
    "properties": {
      "clinic_name": {
        "description": "Name of the clinic; null if not configured.",
        "type": [
          "string",
          "null"
        ]
      },
      "clinic_time_zone": {
        "description": "IANA time zone of the clinic, in which desks show times; null if not configured.",
        "type": [
          "string",
          "null"
        ],
        "format": "time-zone-id"
      },
      "provider": {
        "description": "The identity provider; null if staff sign in with keys.",
        "anyOf": [
          {
            "$ref": "#/$defs/SignInProvider"
          },
          {
            "type": "null"
          }
        ]
      },
      "keys": {
        "description": "Whether staff can sign in with a key that is bound to them.",
        "type": "boolean"
      },
      "pin": {
        "description": "Numbers of digits of a PIN.",
        "$ref": "#/$defs/PinDigits"
      },
      "desk_interface": {
        "description": "Number of the newest interface for desks that the service speaks.",
        "minimum": 1,
        "type": "integer"
      },
      "oldest_desk_interface": {
        "description": "Number of the oldest one that it still speaks.",
        "minimum": 1,
        "type": "integer"
      },
      "lock_minutes": {
        "description": "Idle minutes after which a desk locks.",
        "minimum": 1,
        "type": "integer"
      },
      "session_hours": {
        "description": "Hours after which a session ends, even in use.",
        "minimum": 1,
        "type": "integer"
      }
    },
    "required": [
      "keys",
      "pin",
      "desk_interface",
      "oldest_desk_interface",
      "lock_minutes",
      "session_hours"
    ]
  },
  "SignInProvider": {
    "type": "object",
    "description": "The identity provider of the clinic (OpenID Connect).",
    "properties": {
      "issuer": {
        "description": "Issuer URL; its configuration is at `/.well-known/openid-configuration` below it.",
        "type": "string"
      },
      "client_id": {
        "description": "Client id of the desktop at the provider.",
        "type": "string"
      },
      "scopes": {
        "description": "Scopes to request.",
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "name": {
        "description": "Name to show.",
        "type": "string"
      },
      "client_secret": {
        "description": "Secret that the provider asks of desktop clients, though it is none (Google); null if none.",
        "type": [
          "string",
          "null"
        ]
      },
      "acr_values": {
        "description": "`acr_values` to request for emergency access; null if none.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "issuer",
      "client_id",
      "scopes",
      "name"
    ]
  },
  "Source": {
    "type": "object",
    "description": "A provider of health data, such as a wearable manufacturer.",
    "properties": {
      "logo": {
        "description": "URL of the provider's logo.",
        "type": "string"
      },
      "name": {
        "description": "Display name of the provider.",
        "type": "string"
      },
      "slug": {
        "description": "Slug of the provider.",
        "type": "string"
      }
    },
    "required": [
      "logo",
      "name",
      "slug"
    ]
  },
  "SourceMarker": {
    "type": "object",
    "description": "A marker in the catalogue of the laboratory.",
    "properties": {
      "marker_id": {
        "description": "Number in the catalogue.",
        "type": [
          "integer",
          "null"
        ]
      },
      "name": {
        "description": "Name in the catalogue.",
        "type": [
          "string",
          "null"
        ]
      },
      "slug": {
        "description": "Slug in the catalogue.",
        "type": [
          "string",
          "null"
        ]
      },
      "provider_id": {
        "description": "The laboratory's id of the marker.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "TimeseriesSource": {
    "type": "object",
    "description": "Source of a group of points.",
    "properties": {
      "provider": {
        "description": "Slug of the provider.",
        "type": "string"
      },
      "type": {
        "description": "Type of device or app, such as `watch`.",
        "type": "string"
      }
    },
    "required": [
      "provider",
      "type"
    ]
  },
  "User": {
    "type": "object",
    "description": "A user (patient) of a team, as returned by resolve (interface document 2.1).",
    "properties": {
      "user_id": {
        "description": "Id of the user, used in all other operations on that user.",
        "type": "string",
        "format": "uuid"
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "client_user_id": {
        "description": "Id of the user in the team's own system, unique in the team. Must not be an e-mail address, phone number or other personal data.",
        "type": "string"
      },
      "created_on": {
        "description": "When the user was created.",
        "type": "string",
        "format": "date-time"
      },
      "connected_sources": {
        "description": "The sources that the user has connected.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/ConnectedSource"
        }
      },
      "fallback_birth_date": {
        "description": "Fallback date of birth.",
        "anyOf": [
          {
            "$ref": "#/$defs/FallbackBirthDate"
          },
          {
            "type": "null"
          }
        ]
      },
      "ingestion_start": {
        "description": "First day for which data is ingested, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "ingestion_end": {
        "description": "Last day for which data is ingested, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "fallback_time_zone": {
        "description": "Fallback time zone.",
        "$ref": "#/$defs/FallbackTimeZone"
      }
    },
    "required": [
      "fallback_time_zone",
      "user_id",
      "team_id",
      "client_user_id",
      "created_on",
      "connected_sources"
    ]
  },
  "UserEnvelope": {
    "type": "object",
    "description": "A user to import; the team is the user's own.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "user"
        ]
      },
      "user": {
        "description": "The user.",
        "$ref": "#/$defs/User"
      }
    },
    "required": [
      "kind",
      "user"
    ],
    "additionalProperties": false
  },
  "UserInfoAddress": {
    "type": "object",
    "description": "Postal address of a user.",
    "properties": {
      "first_line": {
        "description": "Street and number.",
        "type": [
          "string",
          "null"
        ]
      },
      "second_line": {
        "description": "Apartment, building or care of.",
        "type": [
          "string",
          "null"
        ]
      },
      "zip": {
        "description": "Postal code.",
        "type": [
          "string",
          "null"
        ]
      },
      "city": {
        "description": "City.",
        "type": [
          "string",
          "null"
        ]
      },
      "state": {
        "description": "State or province.",
        "type": [
          "string",
          "null"
        ]
      },
      "country": {
        "description": "Country, ISO 3166-1 with two letters.",
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": []
  },
  "UserInfo": {
    "type": "object",
    "description": "Who a user is: name, birth date, gender, contact and address. What is not known is missing or null.",
    "properties": {
      "first_name": {
        "description": "Given names.",
        "type": [
          "string",
          "null"
        ]
      },
      "last_name": {
        "description": "Family names.",
        "type": [
          "string",
          "null"
        ]
      },
      "email": {
        "description": "E-mail address.",
        "type": [
          "string",
          "null"
        ]
      },
      "phone_number": {
        "description": "Phone number.",
        "type": [
          "string",
          "null"
        ]
      },
      "gender": {
        "description": "Gender on record.",
        "type": [
          "string",
          "null"
        ],
        "x-extensible-enum": [
          "female",
          "male",
          "other",
          "unknown"
        ]
      },
      "dob": {
        "description": "Date of birth, YYYY-MM-DD.",
        "type": [
          "string",
          "null"
        ],
        "format": "date"
      },
      "address": {
        "description": "Postal address.",
        "anyOf": [
          {
            "$ref": "#/$defs/UserInfoAddress"
          },
          {
            "type": "null"
          }
        ]
      }
    },
    "required": []
  },
  "UserInfoEnvelope": {
    "type": "object",
    "description": "What is known of who a user is, to import.",
    "properties": {
      "kind": {
        "description": "Type of the record.",
        "type": "string",
        "enum": [
          "user_info"
        ]
      },
      "team_id": {
        "description": "The team that the user belongs to.",
        "type": "string",
        "format": "uuid"
      },
      "user_id": {
        "description": "The user.",
        "type": "string",
        "format": "uuid"
      },
      "recorded_at": {
        "description": "When it was recorded; reads return the latest record.",
        "type": "string",
        "format": "date-time"
      },
      "info": {
        "description": "The info.",
        "$ref": "#/$defs/UserInfo"
      }
    },
    "required": [
      "kind",
      "team_id",
      "user_id",
      "recorded_at",
      "info"
    ],
    "additionalProperties": false
  },
  "UserInfoParams": {
    "type": "object",
    "description": "Path of what is known of who a user is.",
    "properties": {
      "user_id": {
        "description": "Id of the user.",
        "type": "string",
        "format": "uuid"
      }
    },
    "required": [
      "user_id"
    ],
    "additionalProperties": false
  },
  "UserList": {
    "type": "object",
    "description": "A page of the team's users (interface document 4.5).",
    "properties": {
      "users": {
        "description": "The users on this page, sorted by `created_on`, then `user_id`.",
        "type": "array",
        "items": {
          "$ref": "#/$defs/ListedUser"
        }
      },
      "total": {
        "description": "Total number of users of the team.",
        "minimum": 0,
        "type": "integer"
      },
      "offset": {
        "description": "Number of users skipped before this page.",
        "minimum": 0,
        "type": "integer"
      },
      "limit": {
        "description": "Maximum number of users on the page.",
        "minimum": 0,
        "type": "integer"
      }
    },
    "required": [
      "users",
      "total",
      "offset",
      "limit"
    ]
  }
} satisfies Record<string, JsonSchema>;
