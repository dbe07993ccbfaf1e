import type { Phrases } from '../phrasebook.ts'

/** What refusals about servers, their files and backups say. */
export const refusalsAboutServers: Phrases = {
  '{a}: ask the owner': '{a}: Fragen Sie den Besitzer',
  'Only a complete backup has files': 'Nur ein vollständiges Backup hat Dateien',
  'The backup is being made: cancel that job instead':
    'Das Backup wird gerade erstellt: Brechen Sie diesen Auftrag ab',
  'The backup is locked: unlock it before you delete it':
    'Das Backup ist geschützt: Heben Sie den Schutz auf, bevor Sie es löschen',
  'No connected node can delete the backup now':
    'Zurzeit kann kein verbundener Node das Backup löschen',
  '{a}: ask the host': '{a}: Fragen Sie den Anbieter',
  'The backup is being deleted': 'Das Backup wird gelöscht',
  'A failed backup holds nothing that could be locked':
    'Ein fehlgeschlagenes Backup enthält nichts, was zu schützen wäre',
  'The host made this backup against the loss of a node, and keeps or deletes it by itself':
    'Der Anbieter hat dieses Backup gegen den Verlust eines Nodes gemacht und verwaltet es selbst',
  '{a} is to keep backups of other nodes: choose another node in the settings of backups first':
    '{a} soll Backups anderer Nodes aufbewahren: Wählen Sie zuerst in den Einstellungen der Backups einen anderen Node',
  '{a} keeps {b} backups of {c} servers ({d}), which are lost with it: send confirm as true to remove it nevertheless':
    '{a} bewahrt {b} Backups von {c} Servern auf ({d}), die mit ihm verloren gehen: Senden Sie confirm als true, um ihn trotzdem zu entfernen',
  'The backup is in the bucket {a}, which the settings of backups no longer name':
    'Das Backup liegt im Bucket {a}, den die Einstellungen der Backups nicht mehr nennen',
  '{a} is no virtual machine: a backup of one can only be restored to another':
    '{a} ist keine virtuelle Maschine: Ein Backup einer VM kann nur auf einer VM wiederhergestellt werden',
  '{a} is a virtual machine: the backup can only be restored to a container server':
    '{a} ist eine virtuelle Maschine: Das Backup kann nur auf einem Container-Server wiederhergestellt werden',
  '{a} belongs to somebody else': '{a} gehört jemand anderem',
  'Restoring replaces all present files of the server: send confirm as true':
    'Das Wiederherstellen ersetzt alle jetzigen Dateien des Servers: Senden Sie confirm als true',
  'The backup has {a}, and {b} has a disk of {c}: enlarge it first':
    'Das Backup hat {a}, und {b} hat einen Datenträger von {c}: Vergrößern Sie ihn zuerst',
  'A backup of a virtual machine contains disks, and no single files: restore all of it, for example to another machine':
    'Das Backup einer virtuellen Maschine enthält Datenträger und keine einzelnen Dateien: Stellen Sie es ganz wieder her, zum Beispiel auf einer anderen Maschine',
  'A backup of a virtual machine contains disks, of which nothing can be left out':
    'Ein Backup einer virtuellen Maschine enthält Datenträger, von denen nichts ausgelassen werden kann',
  'The agent of {a} is too old to keep what the backup leaves out: update it first':
    'Der Agent von {a} ist zu alt, um zu behalten, was das Backup auslässt: Aktualisieren Sie ihn zuerst',
  'The agent of {a} is too old to verify a backup before a restore: update it first, or send backUpFirst as false':
    'Der Agent von {a} ist zu alt, um vor einer Wiederherstellung ein Backup zu prüfen: Aktualisieren Sie ihn zuerst, oder senden Sie backUpFirst als false',
  'The agent of {a} is too old to keep what is replaced: update it first, or send keepReplaced as false':
    'Der Agent von {a} ist zu alt, um zu behalten, was ersetzt wird: Aktualisieren Sie ihn zuerst, oder senden Sie keepReplaced als false',
  'This replaces the present files of the same names: send confirm as true, or a folder as into':
    'Das ersetzt die jetzigen Dateien gleichen Namens: Senden Sie confirm als true oder einen Ordner als into',
  'Only a complete backup can be verified': 'Nur ein vollständiges Backup lässt sich prüfen',
  'No connected node can read the backup now: try again once the node that keeps it is connected':
    'Gerade kann kein verbundener Node das Backup lesen: Versuchen Sie es noch einmal, sobald der Node verbunden ist, der es aufbewahrt',
  'The backup is damaged: restore another one, or single files of this one. If its storage was repaired, verify it again first':
    'Das Backup ist beschädigt: Stellen Sie ein anderes wieder her oder einzelne Dateien aus diesem. Wurde sein Speicher repariert, prüfen Sie es zuerst erneut',
  'Only a complete backup can be restored':
    'Nur ein vollständiges Backup kann wiederhergestellt werden',
  'The backup is kept on another node than the one {a} is on':
    'Das Backup liegt auf einem anderen Node als {a}',
  'The backup is kept on another node than the new server is placed on: choose the node of the backup, or copy what the server has now':
    'Das Backup liegt auf einem anderen Node als der neue Server: Wählen Sie den Node des Backups, oder kopieren Sie den jetzigen Stand des Servers',
  '{a}: try again when it is back': '{a}: Versuchen Sie es erneut, wenn er zurück ist',
  'Files are copied through backups: ask for that right':
    'Dateien werden über Backups kopiert: Bitten Sie um dieses Recht',
  'The server is gone': 'Den Server gibt es nicht mehr',
  'The server is somewhere else by now': 'Der Server ist inzwischen anderswo',
  'Deleted files of this server are not kept: delete it for good instead':
    'Gelöschte Dateien dieses Servers werden nicht aufbewahrt: Löschen Sie es stattdessen endgültig',
  'Deleted files of this server are not kept':
    'Gelöschte Dateien dieses Servers werden nicht aufbewahrt',
  'A virtual machine keeps its files on disks of its own: use its screen, or connect to it':
    'Eine virtuelle Maschine hat ihre Dateien auf eigenen Datenträgern: Verwenden Sie ihren Bildschirm, oder verbinden Sie sich mit ihr',
  'The node did not answer as it should: update its agent if that does not end':
    'Der Node hat nicht richtig geantwortet: Aktualisieren Sie seinen Agent, wenn das nicht aufhört',
  'The agent of this node is too old for this: update it':
    'Der Agent dieses Nodes ist dafür zu alt: Aktualisieren Sie ihn',
  'The caller has gone': 'Der Aufrufer ist weg',
  'Send the header Tus-Resumable: {a}, and speak that version of the protocol':
    'Senden Sie den Header Tus-Resumable: {a}, und sprechen Sie diese Version des Protokolls',
  'There is no such upload: it is complete, or was given up':
    'Diesen Upload gibt es nicht: Er ist fertig, oder wurde aufgegeben',
  'A file has at most {a} bytes': 'Eine Datei hat höchstens {a} Byte',
  '{a} jobs work on the files of this server already: wait for one of them, or cancel it':
    '{a} Aufträge bearbeiten schon die Dateien dieses Servers: Warten Sie auf einen davon, oder brechen Sie ihn ab',
  'Ask for at least a minute of the last {a} days, with from before to':
    'Fragen Sie nach mindestens einer Minute der letzten {a} Tage, mit from vor to',
  'It is gone': 'Das gibt es nicht mehr',
  'Task {a}: {b}': 'Aufgabe {a}: {b}',
  'A run of this schedule is still going': 'Eine Ausführung dieses Zeitplans läuft noch',
  'Whoever chose these tasks cannot sign in any more: save them again, to run them with your rights':
    'Wer diese Aufgaben gewählt hat, kann sich nicht mehr anmelden: Speichern Sie sie neu, damit sie mit Ihren Rechten laufen',
  'Somebody has changed this schedule meanwhile: discard your changes to see theirs, then make yours again':
    'Inzwischen hat jemand diesen Zeitplan geändert: Verwerfen Sie Ihre Änderungen, um die andere Fassung zu sehen, und machen Sie Ihre dann noch einmal',
  'The server is not running': 'Der Server läuft nicht',
  'The link was not sent to this address by mail: sign in with the account of the address to accept, or ask the host for one':
    'Der Link wurde nicht an diese Adresse gesendet: Melden Sie sich mit dem Konto dieser Adresse an, oder bitten Sie den Anbieter um ein Konto',
  'The owner may not share this server with more people now: ask the owner, then accept again':
    'Der Besitzer darf diesen Server gerade nicht mit weiteren Personen teilen: Fragen Sie ihn, und nehmen Sie die Einladung dann noch einmal an',
  'Its node keeps another copy of it, which it could not take with a new disk: the host takes that first, or forgets it on the page Failover':
    'Sein Node behält eine andere Kopie von ihm, die er mit einem neuen Datenträger nicht nehmen könnte: Der Anbieter nimmt zuerst diese, oder vergisst sie auf der Seite „Failover“',
  'The server was deleted before it could be backed up':
    'Der Server wurde gelöscht, bevor er gesichert werden konnte',
  'The account was created in the meantime: open the link again':
    'Das Konto wurde inzwischen erstellt: Öffnen Sie den Link noch einmal',
  'There is no account with this address: ask the host for one, then open the link again':
    'Es gibt kein Konto mit dieser Adresse: Bitten Sie den Anbieter um eines, und öffnen Sie den Link dann noch einmal',
  'Choose a password: there is no account yet': 'Wählen Sie ein Passwort: Es gibt noch kein Konto',
  'Keeping the server of an ended subscription needs the permission billing.manage':
    'Um den Server eines beendeten Abonnements zu behalten, brauchen Sie die Berechtigung billing.manage',
  'This needs the permission {a} on the server; its owner can grant it':
    'Dafür ist die Berechtigung {a} für den Server nötig; sein Besitzer kann sie erteilen',
  'The server is already shared with this person': 'Der Server ist schon mit dieser Person geteilt',
  'The server is not shared with you, so there is nothing to leave':
    'Der Server ist nicht mit Ihnen geteilt, also gibt es nichts zu verlassen',
  'You cannot change your own rights: ask the owner, or leave the server':
    'Sie können Ihre eigenen Rechte nicht ändern: Fragen Sie den Besitzer, oder verlassen Sie den Server',
  'You cannot give or take {a}, because you do not have it on this server':
    'Sie können {a} weder geben noch nehmen, weil Sie es auf diesem Server nicht haben',
  'You cannot share folders that are closed to you: give others the same file rules as yours':
    'Sie können keine Ordner teilen, auf die Sie keinen Zugriff haben: Geben Sie anderen dieselben Dateiregeln, die Sie haben',
  'The console ticket no longer works: open the console again':
    'Das Konsolenticket gilt nicht mehr: Öffnen Sie die Konsole noch einmal',
  'The server is suspended': 'Der Server ist gesperrt',
  'The node {a} is not connected: try again when it is back':
    'Der Node {a} ist nicht verbunden: Versuchen Sie es erneut, wenn er zurück ist',
  'The server is not running: start it first': 'Der Server läuft nicht: Starten Sie ihn zuerst',
  'There is no output yet: start the server': 'Es gibt noch keine Ausgabe: Starten Sie den Server',
  'Too many commands: wait a moment': 'Zu viele Befehle: Warten Sie einen Moment',
  'The node could not do this: try again in a moment':
    'Der Node konnte das nicht tun: Versuchen Sie es gleich noch einmal',
  '{a} is connected: delete the server without abandoning it':
    '{a} ist verbunden: Löschen Sie den Server, ohne ihn zurückzulassen',
  '{a} runs: stop it first, or send confirm as true to delete it with everything on its disks':
    '{a} läuft: Stoppen Sie die Maschine zuerst, oder senden Sie confirm als true, um sie mit allem auf ihren Datenträgern zu löschen',
  'Other work on this server has to end first: try again afterwards':
    'Andere Arbeit an diesem Server muss zuerst enden: Versuchen Sie es danach noch einmal',
  'Other work on the machine has to end first: its new size is tried again afterwards':
    'Andere Arbeit an der Maschine muss zuerst enden: Danach wird die neue Größe noch einmal versucht',
  'This server came with a plan: cancel the subscription instead':
    'Dieser Server gehört zu einem Tarif: Kündigen Sie das Abonnement',
  'The deletion of this server is already scheduled':
    'Die Löschung dieses Servers ist schon geplant',
  'This server is deleted with the account of its owner':
    'Dieser Server wird mit dem Konto seines Besitzers gelöscht',
  'This server is not scheduled for deletion': 'Für diesen Server ist keine Löschung geplant',
  'The hardware profile {a} is not enabled for new machines: enable it first':
    'Das Hardwareprofil {a} ist für neue Maschinen nicht freigegeben: Geben Sie es zuerst frei',
  'No node has room for this virtual machine now: choose another plan or location, or ask your host':
    'Kein Node hat zurzeit Platz für diese virtuelle Maschine: Wählen Sie einen anderen Tarif oder Standort, oder fragen Sie Ihren Anbieter',
  'No node can run this virtual machine now: choose another profile, network or location, or ask your host':
    'Kein Node kann diese virtuelle Maschine zurzeit ausführen: Wählen Sie ein anderes Profil, Netzwerk oder einen anderen Standort, oder fragen Sie Ihren Anbieter',
  'The node {a} is not connected: wait until it is back':
    'Der Node {a} ist nicht verbunden: Warten Sie, bis er zurück ist',
  '{a} is not connected: wait until it is back':
    '{a} ist nicht verbunden: Warten Sie, bis er zurück ist',
  'No node can run this virtual machine: {a}':
    'Kein Node kann diese virtuelle Maschine ausführen: {a}',
  'No node for virtual machines is connected now: try again in a moment':
    'Zurzeit ist kein Node für virtuelle Maschinen verbunden: Versuchen Sie es gleich noch einmal',
  'There is no network for virtual machines: register one first':
    'Es gibt kein Netzwerk für virtuelle Maschinen: Legen Sie zuerst eines an',
  'There is no free address left in {a}: widen its pool':
    'In {a} ist keine Adresse mehr frei: Erweitern Sie den Bereich',
  'Port {a} is in use on this node: choose another one or leave it out':
    'Port {a} ist auf diesem Node belegt: Wählen Sie einen anderen, oder lassen Sie ihn weg',
  'Port {a} of the server is mapped already (host port {b})':
    'Port {a} des Servers ist schon zugeordnet (Port {b} des Hosts)',
  'The node has no free ports: ask your host to add some':
    'Der Node hat keine freien Ports: Bitten Sie Ihren Anbieter um weitere',
  'The primary port of a server cannot be removed':
    'Der Hauptport eines Servers kann nicht entfernt werden',
  "Port {a} is outside the node's port ranges: choose one within them or leave it out":
    'Port {a} liegt außerhalb der Portbereiche des Nodes: Wählen Sie einen darin, oder lassen Sie ihn weg',
  'The node has no free ports: widen its port ranges':
    'Der Node hat keine freien Ports: Erweitern Sie seine Portbereiche',
  'The job has already ended: {a}': 'Der Auftrag ist schon beendet: {a}',
  'This job cannot be cancelled, but ends soon':
    'Dieser Auftrag kann nicht abgebrochen werden, endet aber bald',
  'It is too late to cancel this job: wait until it ends':
    'Zum Abbrechen ist es zu spät: Warten Sie, bis der Auftrag endet',
  'Only a failed or cancelled job can be retried':
    'Nur ein fehlgeschlagener oder abgebrochener Auftrag kann wiederholt werden',
  'This job cannot be retried: repeat the action on its page':
    'Dieser Auftrag kann nicht wiederholt werden: Wiederholen Sie die Aktion auf ihrer Seite',
  'Suspending needs the permission servers.suspend':
    'Zum Sperren ist die Berechtigung servers.suspend nötig',
  'Reinstalling runs the installer over the existing files: send confirm as true':
    'Die Neuinstallation läuft über die vorhandenen Dateien: Senden Sie confirm als true',
  'The server is being backed up: wait, or cancel that job':
    'Gerade wird ein Backup des Servers erstellt: Warten Sie, oder brechen Sie diesen Auftrag ab',
  'The server is also suspended for another reason, which is lifted where it was set: {a}':
    'Der Server ist auch aus einem anderen Grund gesperrt, der dort aufgehoben wird, wo er gesetzt wurde: {a}',
  'There is no such port': 'Diesen Port gibt es nicht',
  'Memory and disks of a virtual machine are changed with its hardware, while it is stopped':
    'Arbeitsspeicher und Datenträger einer virtuellen Maschine werden mit ihrer Hardware geändert, während sie gestoppt ist',
  'A virtual machine has no startup command and no variables: see its hardware instead':
    'Eine virtuelle Maschine hat keinen Startbefehl und keine Variablen: Sehen Sie bei ihrer Hardware nach',
  'Running servers are restarted: send "confirm": true':
    'Laufende Server werden neu gestartet: Senden Sie "confirm": true',
  '{a} is a container server, not a virtual machine':
    '{a} ist ein Container-Server, keine virtuelle Maschine',
  'The machine is off and has no screen: start it first':
    'Die Maschine ist aus und hat keinen Bildschirm: Starten Sie sie zuerst',
  'Reinstalling replaces the system disk, the firmware variables and the TPM: send confirm as true':
    'Die Neuinstallation ersetzt den Systemdatenträger, die Firmware-Variablen und das TPM: Senden Sie confirm als true',
  'This cannot be installed: {a}': 'Das kann nicht installiert werden: {a}',
  'Its former copy lies there: move it back into the network that it came from':
    'Dort liegt die frühere Kopie: Ziehen Sie die Maschine in das Netzwerk zurück, aus dem sie kam',
  'The machine gets another address in {a}: send confirmNetworkChange as true':
    'Die Maschine bekommt in {a} eine andere Adresse: Senden Sie confirmNetworkChange als true',
  'A machine has at most {a} disks': 'Eine Maschine hat höchstens {a} Datenträger',
  'This machine came with a plan, which fixes its size: change the plan instead':
    'Diese Maschine gehört zu einem Tarif, der ihre Größe festlegt: Wechseln Sie den Tarif',
  'Restoring replaces the current disks, firmware variables and TPM: send confirm as true':
    'Das Wiederherstellen ersetzt die jetzigen Datenträger, Firmware-Variablen und das TPM: Senden Sie confirm als true',
  'The snapshot is not complete yet, or is being deleted':
    'Der Snapshot ist noch nicht vollständig, oder wird gelöscht',
  'The snapshot belongs to other files of the machine, which the host keeps: ask the host to have the machine take those':
    'Der Snapshot gehört zu anderen Dateien der Maschine, die der Anbieter aufbewahrt: Bitten Sie ihn, die Maschine diese nehmen zu lassen',
  'The snapshot is being made: cancel that job instead':
    'Der Snapshot wird gerade erstellt: Brechen Sie diesen Auftrag ab',
  'The machine already has a snapshot called {a}: choose another name':
    'Die Maschine hat schon einen Snapshot namens {a}: Wählen Sie einen anderen Namen',
  'This is the template "{a}" ({b}), which exists already: overwrite it, or import the document as a copy':
    'Das ist die Vorlage „{a}“ ({b}), die es schon gibt: Überschreiben Sie sie, oder importieren Sie das Dokument als Kopie',
  'Somebody changed the template in the meantime (version {a}): read it again':
    'Jemand hat die Vorlage inzwischen geändert (Version {a}): Lesen Sie sie noch einmal',
  'Built-in templates cannot be deleted': 'Mitgelieferte Vorlagen können nicht gelöscht werden',
  '{a} made from this template': '{a} aus dieser Vorlage',
}
