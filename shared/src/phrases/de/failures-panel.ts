import type { Phrases } from '../phrasebook.ts'

/** Why work of the panel itself failed, which only operators read. */
export const failuresOfThePanel: Phrases = {
  'Nothing switches nodes off here: set LODGE_FENCE_COMMAND on the control plane, or turn on a plugin for that':
    'Hier schaltet nichts Nodes aus: Setzen Sie LODGE_FENCE_COMMAND auf der Control Plane, oder schalten Sie ein Plugin dafür ein',
  'The fence command says nothing where it should say on or off':
    'Der Fence-Befehl antwortet nichts statt „on“ oder „off“',
  'The fence command says “{a}” where it should say on or off':
    'Der Fence-Befehl antwortet „{a}“ statt „on“ oder „off“',
  'It was switched off, and is said to be on still':
    'Er wurde ausgeschaltet und wird noch als an gemeldet',
  'The plugin cannot tell whether the node is on': 'Das Plugin weiß nicht, ob der Node an ist',
  'The fence command did not end within {a} s ({b})':
    'Der Fence-Befehl endete nicht innerhalb von {a} s ({b})',
  'The control plane was stopped meanwhile': 'Die Control Plane wurde währenddessen gestoppt',
  'The fence command cannot be started: {a}': 'Der Fence-Befehl kann nicht gestartet werden: {a}',
  'The fence command ended with {a} ({b}): {c}': 'Der Fence-Befehl endete mit {a} ({b}): {c}',
  'The fence command ended with {a} ({b})': 'Der Fence-Befehl endete mit {a} ({b})',
  'The backup is from a newer version of Lodge{a}: install that version and restore it there':
    'Das Backup ist von einer neueren Version von Lodge{a}: Installieren Sie diese Version, und stellen Sie es dort wieder her',
  'Lodge itself uses {a}: choose another folder for the backups':
    'Lodge selbst verwendet {a}: Wählen Sie einen anderen Ordner für die Backups',
}
