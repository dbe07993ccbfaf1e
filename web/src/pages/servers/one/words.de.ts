import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  server: 'Server',
  windowTitle: '{server} ({state})',
  jobNow: '{job}: {step}',
  jobStill: '{job}: {step} (seit {duration})',
  jobProgress: 'Fortschritt von {job}',
  cancelJob: 'Abbrechen',
  jobNotCancelled: '„{job}“ konnte nicht abgebrochen werden',
  getHelp: 'Hilfe zu diesem Server',
  copyAddress: 'Adresse kopieren',
  place: '{node} · {location}',
  upSince: 'läuft seit <since></since>',
  ownedBy: 'gehört {owner}',
  tabs: 'Bereiche dieses Servers',
  returned: 'Dieser Server wurde auf einer anderen Maschine wiederhergestellt',
  returnedWhole:
    'Die Maschine, auf der er lief, ging <when></when> verloren. Alle seine Dateien sind da. Seine Adresse kann sich geändert haben.',
  returnedAs:
    'Die Maschine, auf der er lief, ging <when></when> verloren. Seine Dateien sind die des Backups von <saved></saved>; spätere Änderungen sind verloren. Seine Adresse kann sich geändert haben.',
  nodeAway: 'Der Node {node} ist nicht verbunden',
  nodeAwayNothing: 'Über diesen Server ist noch nichts bekannt.',
  nodeAwayText:
    'Letzter bekannter Stand: <when></when>. Wenn nur die Verbindung fehlt, läuft der Server weiter; ändern lässt er sich erst, wenn sein Node zurück ist.',
  willBeDeleted: 'Dieser Server wird gelöscht',
  willBeDeletedText: 'Er ist aus und wird <when></when> mit allen seinen Dateien gelöscht.',
  suspended: 'Dieser Server ist gesperrt',
  suspendedText:
    'Er lässt sich erst wieder starten, wenn die Sperre aufgehoben ist. {count, plural, one {Grund} other {Gründe}}: {reasons}.',
  suspendedAccount: 'das Konto ist gesperrt',
  openBilling: 'Abrechnung öffnen',
  suspendedBilling: 'das Abonnement ist gesperrt',
  suspendedDispute: 'eine Zahlungsanfechtung',
  suspendedToken: 'ein Programm des Anbieters',
  suspendedHost: 'eine Entscheidung des Anbieters',
  lastFailed: 'Der letzte Versuch ist fehlgeschlagen',
  restartNeeded: 'Änderungen gelten ab dem nächsten Neustart.',
})
