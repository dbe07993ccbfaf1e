import type { Phrases } from '../phrasebook.ts'

/** Why plans for a node that is emptied or lost leave a server where it is. */
export const plans: Phrases = {
  'There is no other node': 'Es gibt keinen anderen Node',
  'No other node can take it now: none has room, or all are closed':
    'Zurzeit kann ihn kein anderer Node aufnehmen: Keiner hat Platz, oder alle sind geschlossen',
  'Its address would change: move it on its own page':
    'Seine Adresse würde sich ändern: Ziehen Sie ihn auf seiner eigenen Seite um',
  'The agent of {a} is too old to take in servers: update it':
    'Der Agent von {a} ist zu alt, um Server aufzunehmen: Aktualisieren Sie ihn',
  'The agent of {a} is too old to take in virtual machines: update it':
    'Der Agent von {a} ist zu alt, um virtuelle Maschinen aufzunehmen: Aktualisieren Sie ihn',
  'Only {a} reaches its backup: {b}': 'Nur {a} erreicht sein Backup: {b}',
  'No node can take it: some have no room, others still have to delete part of it':
    'Kein Node kann ihn aufnehmen: Einige haben keinen Platz, andere müssen noch einen Teil von ihm löschen',
  '{a} does not have its shared storage now': '{a} hat seinen gemeinsamen Speicher zurzeit nicht',
  'No node has room for it': 'Kein Node hat Platz für ihn',
  'No node can take it: {a}': 'Kein Node kann ihn aufnehmen: {a}',
  'It is being brought back already': 'Er wird schon zurückgeholt',
  'It is being deleted': 'Er wird gelöscht',
  'It has just moved here, and goes back to {a}, which has its files from before':
    'Er ist gerade erst hierher umgezogen und kehrt zu {a} zurück, wo seine Dateien von vorher sind',
  'It has not started since it moved here, so its former copy is kept: start it when this node is back':
    'Er ist seit seinem Umzug hierher nicht gestartet, daher wird seine frühere Kopie behalten: Starten Sie ihn, wenn dieser Node zurück ist',
  'A job of it waits for the node: cancel that job first':
    'Ein Job von ihm wartet auf den Node: Brechen Sie zuerst diesen Job ab',
  'There is no backup of it that outlives the node':
    'Es gibt kein Backup von ihm, das den Node überlebt',
  'It is suspended': 'Er ist gesperrt',
  'It is to be deleted': 'Er soll gelöscht werden',
  'It had crashed, and was given up': 'Er war abgestürzt und wurde aufgegeben',
  '{a} has never joined': '{a} war noch nie verbunden',
  '{a} is connected, and its servers run. To empty it, move them':
    '{a} ist verbunden, und seine Server laufen. Um ihn zu leeren, ziehen Sie sie um',
}
