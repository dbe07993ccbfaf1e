import type { Phrases } from '../phrasebook.ts'

/** Why jobs of the panel itself failed, which only operators read. */
export const failuresOfThePanel: Phrases = {
  'The backup is from a newer version of Lodge{a}: install that version and restore it there':
    'Das Backup ist von einer neueren Version von Lodge{a}: Installieren Sie diese Version, und stellen Sie es dort wieder her',
  'Lodge itself uses {a}: choose another folder for the backups':
    'Lodge selbst verwendet {a}: Wählen Sie einen anderen Ordner für die Backups',
}
