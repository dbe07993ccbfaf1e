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
  'A backup is being made: wait for it': 'Ein Backup wird erstellt: Warten Sie darauf',
}
