import type { Phrases } from '../phrasebook.ts'

/** Why jobs and tasks of schedules failed or were not done. */
export const failuresOfJobs: Phrases = {
  '{a} It is tried again': '{a} Es wird weiter versucht',
  '{a}. It is tried again': '{a}. Es wird weiter versucht',
  'The job was cancelled': 'Der Auftrag wurde abgebrochen',
  'There is no free address left in {a}': 'In {a} ist keine Adresse mehr frei',
  'The machine is somewhere else by now': 'Die Maschine ist inzwischen anderswo',
  'The machine is gone': 'Die Maschine gibt es nicht mehr',
  'The node told nothing usable of what it would copy':
    'Der Node sagte nichts Brauchbares darüber, was er kopieren würde',
  'The node told nothing usable of what it did':
    'Der Node sagte nichts Brauchbares darüber, was er getan hat',
  'The other node did not take the machine over in time':
    'Der andere Node hat die Maschine nicht rechtzeitig übernommen',
  'The other node does not have it whole: {a}': 'Der andere Node hat sie nicht vollständig: {a}',
  'The server is gone': 'Den Server gibt es nicht mehr',
  'The new server is gone': 'Den neuen Server gibt es nicht mehr',
  'The backup is gone': 'Das Backup gibt es nicht mehr',
  'The medium is gone': 'Das Medium gibt es nicht mehr',
  'The schedule was deleted': 'Der Zeitplan wurde gelöscht',
  'The node is not connected: it is looked at when it is back':
    'Der Node ist nicht verbunden: Es wird nachgesehen, wenn er zurück ist',
  'The present state could not be backed up, so nothing was restored: {a}':
    'Der aktuelle Stand ließ sich nicht sichern, daher wurde nichts wiederhergestellt: {a}',
  'The server did not start with the restored files in time, so it has the former ones again':
    'Der Server ist mit den wiederhergestellten Dateien nicht rechtzeitig gestartet und hat daher wieder die früheren',
  'The server did not start with the restored files, so it has the former ones again: {a}':
    'Der Server ist mit den wiederhergestellten Dateien nicht gestartet und hat daher wieder die früheren: {a}',
  'It is larger than 64 GiB': 'Es ist größer als 64 GiB',
  'It is registered already under another name':
    'Es ist schon unter einem anderen Namen registriert',
  'The address is not used: {a}. A host of your own network is allowed by LODGE_EGRESS_HOSTS=host:port, for the control plane and on each node that runs machines':
    'Die Adresse wird nicht verwendet: {a}. Einen Host Ihres eigenen Netzes erlaubt LODGE_EGRESS_HOSTS=host:port, für die Control Plane und auf jedem Node, der Maschinen betreibt',
  'It could not be downloaded: {a}': 'Es ließ sich nicht herunterladen: {a}',
  '{a} has no SHA-256 or SHA-512 of this file':
    '{a} enthält kein SHA-256 oder SHA-512 dieser Datei',
  'There is no room for it where the control plane keeps media':
    'Dort, wo die Control Plane Medien aufbewahrt, ist kein Platz dafür',
  'Its {a} is {b}, not the one that its publisher names':
    'Sein {a} ist {b}, nicht das, welches der Herausgeber nennt',
  'The file that was uploaded is not here: upload it again':
    'Die hochgeladene Datei ist nicht da: Laden Sie sie noch einmal hoch',
  'Its fingerprint is {a}, not the one that was registered':
    'Sein Fingerabdruck ist {a}, nicht der registrierte',
  'It cannot be used: {a}': 'Es lässt sich nicht verwenden: {a}',
  'Its installation failed meanwhile: install it first':
    'Seine Installation ist inzwischen fehlgeschlagen: Installieren Sie ihn zuerst',
  'The other node did not start the server in time':
    'Der andere Node hat den Server nicht rechtzeitig gestartet',
  '{a} was lost while the server changed its storage. Its page says where it lies now':
    '{a} ging verloren, während der Server seinen Speicher wechselte. Seine Seite sagt, wo er jetzt liegt',
  '{a} was lost while the server moved away from it. Its page says where it is now':
    '{a} ging verloren, während der Server von dort umzog. Seine Seite sagt, wo er jetzt ist',
  'The server did not start on the other storage, so it is where it was: {a}':
    'Der Server ist auf dem anderen Speicher nicht gestartet und ist deshalb, wo er war: {a}',
  'The server did not start on the other node, so it is where it was: {a}':
    'Der Server ist auf dem anderen Node nicht gestartet und ist daher, wo er war: {a}',
  'A former copy of it still lies on another node':
    'Eine frühere Kopie davon liegt noch auf einem anderen Node',
  'The server is somewhere else by now': 'Der Server ist inzwischen anderswo',
  '{a} {b} of {c} nodes were updated; the rest was left alone':
    '{a} {b} von {c} Nodes wurden aktualisiert; die übrigen blieben unberührt',
  'The control plane has no agent to hand out': 'Die Control Plane hat keinen Agent auszugeben',
  'The node has not come back in time.': 'Der Node ist nicht rechtzeitig zurückgekommen.',
  '{a} has no free ports left: widen its ranges':
    '{a} hat keine freien Ports mehr: Erweitern Sie seine Bereiche',
  'The place of the backups was changed meanwhile': 'Der Ort der Backups wurde inzwischen geändert',
  'The snapshot could not be taken': 'Der Snapshot ließ sich nicht erstellen',
  'The backup could not be made': 'Das Backup ließ sich nicht erstellen',
  'The backup was deleted meanwhile': 'Das Backup wurde inzwischen gelöscht',
  'The node was away for an hour: verify the backup later':
    'Der Node war eine Stunde lang nicht erreichbar: Prüfen Sie das Backup später',
  'It could not be brought back': 'Er ließ sich nicht zurückholen',
  '{a} stopped answering before it had all of the server, {b}. {c} deletes its part when it is back':
    '{a} antwortete nicht mehr, bevor er den ganzen Server hatte, {b}. {c} löscht seinen Teil, sobald er zurück ist',
  '{a} was lost before it had all of the server, {b}. {c} deletes its part when it is back':
    '{a} ging verloren, bevor er den ganzen Server hatte, {b}. {c} löscht seinen Teil, sobald er zurück ist',
  '{a} was lost before the clone was complete, so nothing is left of it, and the original is as it was. Clone it to a node that is connected. {b} deletes its part when it is back':
    '{a} ging verloren, bevor der Klon vollständig war. Von ihm ist nichts übrig, und das Original ist, wie es war. Klonen Sie es auf einen Node, der verbunden ist. {b} löscht seinen Teil, sobald er zurück ist',
  '{a}, which has the original, was lost before its files were copied, so nothing is left of the clone. Clone one of its backups, or wait until {b} is back':
    '{a} mit dem Original ging verloren, bevor dessen Dateien kopiert waren, daher ist vom Klon nichts übrig. Klonen Sie eines seiner Backups, oder warten Sie, bis {b} zurück ist',
  'The server is on {a} already': 'Der Server ist schon auf {a}',
  'Its former copy is being taken away from another node: wait a moment':
    'Seine frühere Kopie wird gerade von einem anderen Node entfernt: Warten Sie einen Moment',
  '{a} has no room for it': '{a} hat keinen Platz dafür',
  'The program that made it was ended': 'Das Programm, das es erstellte, wurde beendet',
  'Another backup of the panel is being made: wait for it':
    'Ein anderes Backup des Panels wird gerade erstellt: Warten Sie darauf',
  'The backup is incomplete: choose an earlier one with --backup':
    'Das Backup ist unvollständig: Wählen Sie mit --backup ein früheres',
  'Files were deleted all the time during the backup':
    'Während des Backups wurden ständig Dateien gelöscht',
  'There is no room for a copy of the database in {a}: free some':
    'In {a} ist kein Platz für eine Kopie der Datenbank: Schaffen Sie welchen',
  'The control plane cannot read {a}: give its account access to it':
    'Die Control Plane kann {a} nicht lesen: Geben Sie ihrem Konto Zugriff darauf',
  'There is no folder {a}: create it, or mount its disk':
    'Den Ordner {a} gibt es nicht: Legen Sie ihn an, oder hängen Sie seine Festplatte ein',
  'The earlier backups are not at their place: mount its disk, or choose another place':
    'Die früheren Backups sind nicht an ihrem Ort: Hängen Sie seine Festplatte ein, oder wählen Sie einen anderen Ort',
  'There are no backups at this place: check its name, and that its disk is mounted':
    'An diesem Ort sind keine Backups: Prüfen Sie seinen Namen und ob seine Festplatte eingehängt ist',
  'The control plane has no access to {a}: give its account access to it':
    'Die Control Plane hat keinen Zugriff auf {a}: Geben Sie ihn ihrem Konto',
  'It could not be made': 'Es ließ sich nicht erstellen',
  'Nothing is known yet of the {a} in use': 'Über die Auslastung ist noch nichts bekannt ({a})',
  '{a} % of the {b} is in use': '{a} % sind in Gebrauch ({b})',
  '{a} was lost before the server had proved itself there, so it is back where it was, with its files from before the move. What it has changed on {b} since is kept there for 7 days':
    '{a} ging verloren, bevor sich der Server dort bewährt hatte. Er ist daher wieder, wo er war, mit seinen Dateien von vor dem Umzug. Was er seitdem auf {b} geändert hat, bleibt dort 7 Tage erhalten',
  'It did not start: {a}': 'Er ist nicht gestartet: {a}',
  'It crashed after its start': 'Er ist nach dem Start abgestürzt',
  'Its new node was lost too before it had started it':
    'Auch sein neuer Node ging verloren, bevor er ihn gestartet hatte',
  'Its node has not started it yet': 'Sein Node hat ihn noch nicht gestartet',

  'restic is not installed: apt-get install restic':
    'restic ist nicht installiert: apt-get install restic',
  'The storage of the backups does not answer: check its address, and that it runs':
    'Der Speicher der Backups antwortet nicht: Prüfen Sie seine Adresse und ob er läuft',
  'The storage of the backups has moved no data for ten minutes: check that it runs and is fast enough, then try again':
    'Der Speicher der Backups hat seit zehn Minuten keine Daten übertragen: Prüfen Sie, ob er läuft und schnell genug ist, und versuchen Sie es dann noch einmal',
  'There is no room left where the copy is written: free some':
    'Dort, wohin die Kopie geschrieben wird, ist kein Platz mehr: Schaffen Sie welchen',
  'The recovery key does not open these backups: enter the one that was shown when they were set up':
    'Der Wiederherstellungsschlüssel öffnet diese Backups nicht: Geben Sie den ein, der bei der Einrichtung angezeigt wurde',
  'Another program uses these backups: try again in a few minutes':
    'Ein anderes Programm benutzt diese Backups: Versuchen Sie es in ein paar Minuten noch einmal',
  'The control plane may not write to the place of the backups: give its account access to it':
    'Die Control Plane darf nicht an den Ort der Backups schreiben: Geben Sie ihrem Konto Zugriff darauf',
  'The certificate of the storage is not trusted here: name its authority with LODGE_EGRESS_CA':
    'Dem Zertifikat des Speichers wird hier nicht vertraut: Nennen Sie seine Zertifizierungsstelle mit LODGE_EGRESS_CA',
  'The bucket refuses access: check its name and keys':
    'Der Bucket verweigert den Zugriff: Prüfen Sie Name und Schlüssel',
  'The backups cannot be read: check the disk or bucket they are in':
    'Die Backups lassen sich nicht lesen: Prüfen Sie die Festplatte oder den Bucket, in dem sie liegen',

  'A later action took its place': 'Eine spätere Aktion trat an seine Stelle',
  'It was cancelled': 'Es wurde abgebrochen',
  'It has not ended within a day': 'Es ist nicht innerhalb eines Tages fertig geworden',
  'It could not be done because of a fault of the panel':
    'Es war wegen eines Fehlers des Panels nicht möglich',
  'Whoever chose these tasks cannot sign in any more: save them again, to run them with your rights':
    'Wer diese Aufgaben gewählt hat, kann sich nicht mehr anmelden: Speichern Sie sie noch einmal, damit sie mit Ihren Rechten laufen',
  'Whoever chose this task may not do it any more: save the tasks again, to run them with your rights':
    'Wer diese Aufgabe gewählt hat, darf sie nicht mehr ausführen: Speichern Sie die Aufgaben noch einmal, damit sie mit Ihren Rechten laufen',
  'The panel was not running at that time, or not connected to the node':
    'Das Panel lief zu dieser Zeit nicht oder war nicht mit dem Node verbunden',
  'Missed; a later run makes up for it': 'Verpasst; ein späterer Lauf holt es nach',
  'Its tasks are not understood any more: choose them again':
    'Seine Aufgaben werden nicht mehr verstanden: Wählen Sie sie neu',
  'The cron expression {a} is not understood any more: change it':
    'Der Cron-Ausdruck {a} wird nicht mehr verstanden: Ändern Sie ihn',
  'The time zone {a} is not known any more: choose another one':
    'Die Zeitzone {a} ist nicht mehr bekannt: Wählen Sie eine andere',
  'Nothing is known of the players': 'Über die Spieler ist nichts bekannt',
  '1 player is on the server': '1 Spieler ist auf dem Server',
  '{a} players are on the server': '{a} Spieler sind auf dem Server',
  'The output does not contain “{a}”': 'Die Ausgabe enthält „{a}“ nicht',
  'The output could not be read: {a}': 'Die Ausgabe ließ sich nicht lesen: {a}',
  'The previous run was still going': 'Der vorige Lauf war noch nicht zu Ende',
  'Task {a}: {b}': 'Aufgabe {a}: {b}',
  '{a} tasks failed': '{a} Aufgaben sind fehlgeschlagen',
  'Ended at task {a}: {b}': 'Bei Aufgabe {a} beendet: {b}',
}

/** How far a step of a job is. */
export const progressOfJobs: Phrases = {
  'The server is {a}': 'Der Server ist {a}',
  'Waiting for the node': 'Wartet auf den Node',
  'Waiting for the machine to stop': 'Wartet, bis die Maschine gestoppt ist',
  'Waiting for the node to take it over': 'Wartet, bis der Node sie übernimmt',
  'Task {a} of {b}': 'Aufgabe {a} von {b}',
  'Waiting for the backup of the present files': 'Wartet auf das Backup der vorhandenen Dateien',
  'Waiting for the server to stop': 'Wartet, bis der Server gestoppt ist',
  'Waiting for the server to start': 'Wartet, bis der Server gestartet ist',
  'Waiting for the server': 'Wartet auf den Server',
  'Waiting for the node to install it': 'Wartet, bis der Node ihn installiert',
  '{a} brought back, {b} not': '{a} zurückgeholt, {b} nicht',
  '{a} of {b} servers': '{a} von {b} Servern',
  '{a} of {b} MiB': '{a} von {b} MiB',
  'The data went directly from {a} to {b}': 'Die Daten gingen direkt von {a} nach {b}',
  'No file had to be replaced': 'Keine Datei musste ersetzt werden',
  'The replaced file was moved to {a}': 'Die ersetzte Datei wurde nach {a} verschoben',
  '{a} replaced files were moved to {b}': '{a} ersetzte Dateien wurden nach {b} verschoben',
  'What would be replaced could not be kept, so it was not replaced.':
    'Was ersetzt würde, ließ sich nicht behalten und wurde deshalb nicht ersetzt.',
  'The data went through the control plane': 'Die Daten gingen über die Control Plane',
  'The server was off for {a} s': 'Der Server war {a} s lang aus',
  '{a} of {b} nodes updated': '{a} von {b} Nodes aktualisiert',
  'No image was unused': 'Kein Image war ungenutzt',
  'One image removed, {a} freed': 'Ein Image entfernt, {a} frei geworden',
  '{a} images removed, {b} freed': '{a} Images entfernt, {b} frei geworden',
  'It did not end within {a} s of being asked and was killed':
    'Er endete nicht innerhalb von {a} s nach der Aufforderung und wurde beendet',
  'Restoring beside the present files, which are not touched':
    'Wird neben den vorhandenen Dateien wiederhergestellt, die unberührt bleiben',
  'Reading the backup': 'Das Backup wird gelesen',
  'Reading the backup back': 'Das Backup wird zur Prüfung gelesen',
  'Keeping what the backup leaves out': 'Was das Backup auslässt, wird behalten',
  'Freeing what no backup needs': 'Was kein Backup braucht, wird freigegeben',
  'Reading the files': 'Die Dateien werden gelesen',
  'Downloading the new agent': 'Der neue Agent wird heruntergeladen',
  'Trying the new agent': 'Der neue Agent wird erprobt',
  Downloading: 'Wird heruntergeladen',
  'Writing configuration files': 'Konfigurationsdateien werden geschrieben',
  'Downloading the image': 'Das Image wird heruntergeladen',
  'Packing the image': 'Das Image wird gepackt',
  'Handing the image to Docker': 'Das Image wird an Docker übergeben',
  'Loading the archive': 'Das Archiv wird geladen',
  Installing: 'Wird installiert',
  Packing: 'Wird gepackt',
  Unpacking: 'Wird entpackt',
  Copying: 'Wird kopiert',
  Deleting: 'Wird gelöscht',
  'Copying the disks while the machine goes on':
    'Die Datenträger werden kopiert, während die Maschine weiterläuft',
  'Copying the image': 'Das Image wird kopiert',
  'Receiving {a}': '{a} wird empfangen',
  'Reading package lists': 'Paketlisten werden gelesen',
  'Creating the image': 'Das Image wird erstellt',
  '{a} MiB': '{a} MiB',
  'Copying the disk {a}': 'Der Datenträger {a} wird kopiert',
  'Copying a snapshot': 'Ein Snapshot wird kopiert',
  'Copying the files': 'Die Dateien werden kopiert',
  'Comparing the files': 'Die Dateien werden verglichen',
  'Copying {a}': '{a} wird kopiert',
  'Downloading the medium': 'Das Medium wird heruntergeladen',
  'Preparing the machine': 'Die Maschine wird vorbereitet',
  'Creating the system disk': 'Der Systemdatenträger wird erstellt',
  'The system disk is ready': 'Der Systemdatenträger ist fertig',
  'Reading {a}': '{a} wird gelesen',
  'All files verified': 'Alle Dateien geprüft',
}

/** Values of these. */
export const valuesOfFailures: Phrases = {
  'install failed': 'nicht installiert',
  starting: 'beim Start',
  stopping: 'beim Stoppen',
  restarting: 'beim Neustart',
  deleting: 'beim Löschen',
  installing: 'in der Installation',
  'deletion scheduled': 'zum Löschen vorgemerkt',
  restoring: 'in der Wiederherstellung',
  snapshotting: 'bei einem Snapshot',
  migrating: 'im Umzug',
  crashed: 'abgestürzt',
  ended: 'beendet',
  unknown: 'in unbekanntem Zustand',
  'it broke off': 'es brach ab',
  'it crashed': 'er ist abgestürzt',
  'it knows no such machine': 'er kennt keine solche Maschine',
  memory: 'RAM',
  disk: 'Speicherplatz',
  'The other node': 'Der andere Node',
  'Its new node': 'Sein neuer Node',
  'so it stays on {a} and can be used again. Move it again once {b} is connected':
    'daher bleibt er auf {a} und kann wieder benutzt werden. Ziehen Sie ihn noch einmal um, sobald {b} verbunden ist',
  'so it stays on {a} and can be used again. Move it to a node that is connected':
    'daher bleibt er auf {a} und kann wieder benutzt werden. Ziehen Sie ihn auf einen Node um, der verbunden ist',
  'and its own node is not connected either. Bring it back on another node':
    'und sein eigener Node ist auch nicht verbunden. Holen Sie ihn auf einem anderen Node zurück',
}
