import type { Phrases } from '../phrasebook.ts'

/** What the plan of a server refuses. */
export const planLimits: Phrases = {
  'The plan {a} of this server does not include backups: change to a larger plan':
    'Der Tarif {a} dieses Servers enthält keine Backups: Wechseln Sie in einen größeren Tarif',
  'The plan {a} of this server does not include extra ports: change to a larger plan':
    'Der Tarif {a} dieses Servers enthält keine zusätzlichen Ports: Wechseln Sie in einen größeren Tarif',
  'The plan {a} of this server does not include sharing it: change to a larger plan':
    'Im Tarif {a} dieses Servers lässt er sich nicht teilen: Wechseln Sie in einen größeren Tarif',
  'The plan {a} of this server does not include schedules: change to a larger plan':
    'Der Tarif {a} dieses Servers enthält keine Zeitpläne: Wechseln Sie in einen größeren Tarif',
  'The plan {a} of this server does not include SFTP: use the page Files, or change to a larger plan':
    'Der Tarif {a} dieses Servers enthält kein SFTP: Nutzen Sie die Seite Dateien, oder wechseln Sie in einen größeren Tarif',
  'This server has all the backups that its plan {a} includes ({b} of {c}): delete one, or change to a larger plan':
    'Dieser Server hat alle Backups, die sein Tarif {a} enthält ({b} von {c}): Löschen Sie eines, oder wechseln Sie in einen größeren Tarif',
  'This does not fit in the backup storage that the plan {a} of this server includes ({b} of {c} MiB in use, {d} MiB needed): delete a backup, or change to a larger plan':
    'Das passt nicht in den Backup-Speicher, den der Tarif {a} dieses Servers enthält ({b} von {c} MiB genutzt, {d} MiB nötig): Löschen Sie ein Backup, oder wechseln Sie in einen größeren Tarif',
  'This server has all the extra ports that its plan {a} includes ({b} of {c}): remove one, or change to a larger plan':
    'Dieser Server hat alle zusätzlichen Ports, die sein Tarif {a} enthält ({b} von {c}): Entfernen Sie einen, oder wechseln Sie in einen größeren Tarif',
  'This server is shared with as many people as its plan {a} includes ({b} of {c}): remove somebody, or change to a larger plan':
    'Dieser Server ist mit so vielen Personen geteilt, wie sein Tarif {a} enthält ({b} von {c}): Entfernen Sie jemanden, oder wechseln Sie in einen größeren Tarif',
  'This server has all the schedules that its plan {a} includes ({b} of {c}): delete one, or change to a larger plan':
    'Dieser Server hat alle Zeitpläne, die sein Tarif {a} enthält ({b} von {c}): Löschen Sie einen, oder wechseln Sie in einen größeren Tarif',
}
