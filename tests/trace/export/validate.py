# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Inversight developers
"""validate.py SCHEMA DOCUMENT: exit 1 and the reasons, if the document does not fit its schema."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    document = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
errors = [f"{error.json_path}: {error.message}"
          for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]
print("\n".join(errors))
sys.exit(1 if errors else 0)
