export const HELP = `lodge backup [--to <folder>]
lodge restore --from <place> [--backup <id>] [--replace]
lodge restore --from <place> --list
lodge import --from whmcs|paymenter <file or folder>... [--run] [--report <file>]
lodge reset-second-factor <e-mail address>
lodge reset-password <e-mail address>

Backs up and restores the panel itself: its database, keys, certificates and files. The data of
servers is on the nodes and not part of it. The environment and .env variables of the control
plane apply (LODGE_DATA, DATABASE_URL, ...).

backup
  Makes a backup now, while the panel runs or not, at the place of the settings.
  --to <folder>             Somewhere else: an absolute path.

restore
  Makes this machine the panel of a backup. Stop the control plane first.
  --from <place>            A folder, or s3:<endpoint>/<bucket>[/<folder>] with the keys in
                            AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_DEFAULT_REGION.
  --list                    Shows what is there and changes nothing.
  --backup <id>             Another than the newest.
  --recovery-key-file <f>   Reads the recovery key from a file. Otherwise LODGE_RECOVERY_KEY, or
                            you are asked.
  --replace                 Also where a panel with accounts is. What it has is lost.

The recovery key is shown under Settings > Backups. Nobody can open a backup without it.
Killed at any moment, a restore has changed either nothing or everything: run it again, or start
the panel, which completes it.

import
  Imports customers, their credit, plans and subscriptions from another panel. Without --run it
  only says what it would do. docs/import.md says how to make the export.
  --from <panel>            whmcs or paymenter.
  <file or folder>...       A dump (.sql), or one file for each table (<table>.csv).
  --run                     Writes. Ended at any moment, run it again: it goes on.
  --report <file>           Writes a CSV with a line for each record.
  --plan <product>=<plan>   Takes a plan of Lodge, by name or id, for a product of the other
                            panel. May be repeated.
  --servers <file>          Connects servers here with imported subscriptions: a CSV file with the
                            columns service (its id there) and server (its id here).
  --invite                  The panel sends imported customers without a password a link to choose
                            one, once: now or with a later run.
  --as <name>               Tells several installations of the same panel apart.
  --encoding <name>         What the files are in, if not UTF-8: windows-1252 or utf-16le.

reset-second-factor
  Removes every second factor and recovery code of an account whose owner has lost them, as that
  of the super administrator, and signs it out everywhere. The password stays. The owner gets a
  mail, and administrators set up a new factor at the next sign-in.

reset-password
  Prints a link with which the owner of an account chooses a new password, for a panel that sends
  no mail. It works once, for an hour. Second factors stay.
`
