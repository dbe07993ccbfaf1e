import type { Phrases } from '../phrasebook.ts'

/** Reasons and words that refusals take from elsewhere, and what is shown beside a button that is off. */
export const reasons: Phrases = {
  attempts: 'Versuche',
  changes: 'Änderungen',
  incomplete: '„unvollständig“',
  trialing: '„Testzeitraum“',
  active: '„aktiv“',
  past_due: '„überfällig“',
  suspended: '„gesperrt“',
  paused: '„pausiert“',
  canceled: '„gekündigt“',
  ended: '„beendet“',
  new: '„neu“',
  open: '„offen“',
  pending: '„wartend“',
  on_hold: '„zurückgestellt“',
  solved: '„gelöst“',
  closed: '„geschlossen“',
  accepted: 'angenommen',
  rejected: 'abgelehnt',
  withdrawn: 'zurückgezogen',
  'This would exceed the limit of {a} MiB of attached files ({b} in use, {c} requested)':
    'Das würde das Limit von {a} MiB für angehängte Dateien überschreiten ({b} genutzt, {c} angefragt)',
  'Some folders of this server are closed to you, and a backup contains all of them':
    'Auf einige Ordner dieses Servers haben Sie keinen Zugriff, und ein Backup enthält sie alle',
  'Several plugins switch nodes off: leave one of them on':
    'Mehrere Plugins schalten Nodes aus: Lassen Sie eines davon eingeschaltet',
  'The machine is held: wait for that to end':
    'Die Maschine ist blockiert: Warten Sie, bis das endet',
  'The node {a} is not connected: wait until it is back':
    'Der Node {a} ist nicht verbunden: Warten Sie, bis er zurück ist',
  'The machine is being installed: wait until it is ready':
    'Die Maschine wird installiert: Warten Sie, bis sie bereit ist',
  'The machine is running: stop it first': 'Die Maschine läuft: Stoppen Sie sie zuerst',
  'The machine is starting: stop it first': 'Die Maschine startet: Stoppen Sie sie zuerst',
  'The machine went down by itself: mark it as stopped first':
    'Die Maschine ist von selbst ausgegangen: Markieren Sie sie zuerst als gestoppt',
  'The machine is about to restart: cancel that first':
    'Die Maschine startet gleich neu: Brechen Sie das zuerst ab',
  'The machine is suspended': 'Die Maschine ist gesperrt',
  'The machine is to be deleted: undo that first':
    'Die Maschine soll gelöscht werden: Machen Sie das zuerst rückgängig',
  'A backup is being made: wait for it': 'Ein Backup wird erstellt: Warten Sie darauf',
  'The machine is being restored: wait for it':
    'Die Maschine wird wiederhergestellt: Warten Sie darauf',
  'A snapshot is being made: wait for it': 'Ein Snapshot wird erstellt: Warten Sie darauf',
  'The machine is moving to another node: wait for it':
    'Die Maschine zieht auf einen anderen Node um: Warten Sie darauf',
}
