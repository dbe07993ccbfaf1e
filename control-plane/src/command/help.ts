export const HELP = `lodge backup [--to <folder>]
lodge restore --from <place> [--backup <id>] [--replace]
lodge restore --from <place> --list

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
`
