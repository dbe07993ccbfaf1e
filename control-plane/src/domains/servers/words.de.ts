import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  invited: '{inviter} teilt {server} mit Ihnen',
  invitedBody: 'Über Ihren Servern können Sie die Einladung annehmen oder ablehnen.',
  accepted: 'Eine Einladung wurde angenommen',
  hasAccess: '{email} hat jetzt Zugriff auf {server}.',
  staysStopped: '{server} bleibt gestoppt',
  crashed: '{server} ist abgestürzt',
  installFailed: 'Die Installation von {server} ist fehlgeschlagen',
  diskFull: 'Der Speicherplatz von {server} ist voll',
  suspended: '{server} ist gesperrt',
  suspendedBy:
    'Gesperrt {cause, select, account {wegen der Sperre des Kontos} billing {durch die Abrechnung} dispute {wegen einer angefochtenen Zahlung} token {durch ein Programm des Anbieters} other {durch den Anbieter}}. Der Server ist gestoppt und kann nicht starten, bis die Sperre aufgehoben ist.',
  freed: '{server} ist nicht mehr gesperrt',
  freedOf:
    'Die Sperre {cause, select, account {wegen der Sperre des Kontos} billing {durch die Abrechnung} dispute {wegen einer angefochtenen Zahlung} token {durch ein Programm des Anbieters} other {durch den Anbieter}} wurde aufgehoben.',
  willBeDeleted: '{server} wird gelöscht',
  deletedOn: 'Am {at}, mit allen Dateien. Bis dahin kann der Besitzer die Löschung abbrechen.',
  deleted: '{server} wurde gelöscht',
  deletedBody: 'Der Server und alle seine Dateien wurden gelöscht.',
  migrated: '{server} ist umgezogen',
  migratedBody:
    'Er ist jetzt mit allen Dateien auf einer anderen Maschine. Seine Adresse kann sich geändert haben.',
  moveGivenUp: 'Der Umzug von {server} wurde abgebrochen',
  backWhereItWas:
    'Die Maschine, auf die er gerade umgezogen war, ist verloren. Er ist wieder dort, wo er war, mit den Dateien von vor dem Umzug: Spätere Änderungen sind weg.',
  staysWhereItWas:
    'Die Maschine, auf die er umziehen sollte, {isSilent, select, true {antwortet nicht mehr} other {ist verloren}}. Er bleibt mit allen Dateien, wo er war, und kann wieder benutzt werden.',
  didNotMove: '{server} ist nicht auf {target} umgezogen',
  targetLost:
    '{target} ist verloren, daher {isBack, select, true {ist der Server zurück} other {bleibt der Server}} auf {node} und kann wieder benutzt werden. Ziehen Sie ihn auf einen Node um, der verbunden ist.',
  targetSilent:
    '{target} antwortet nicht mehr, daher bleibt der Server auf {node} und kann wieder benutzt werden. Ziehen Sie ihn noch einmal um, sobald {target} verbunden ist.',
  accessEnded: 'Sie haben keinen Zugriff mehr auf {server}',
  accessEndedBody: 'Der Server wird nicht mehr mit Ihnen geteilt.',
  created: '{server} wurde erstellt',
  createdBody: 'Der Server wird eingerichtet.',
  installed: '{server} ist installiert',
  installedBody: 'Die Installation ist gelungen.',
  started: '{server} ist gestartet',
  stopped: '{server} ist gestoppt',
  stays: '{server} wird nicht gelöscht',
  staysBody:
    'Die Löschung wurde abgebrochen. {takenOver, select, true {Der Server gehört jetzt zu einem neuen Abonnement.} other {Der Server bleibt aus, bis er gestartet wird.}}',
})
