import type { Phrases } from '../phrasebook.ts'

/** What refusals about nodes, plugins, settings and requests say. */
export const refusalsAboutTheHouse: Phrases = {
  'The space for files is used up: raise LODGE_BLOBS_GIB, or delete some':
    'Der Platz für Dateien ist verbraucht: Erhöhen Sie LODGE_BLOBS_GIB, oder löschen Sie einige',
  'Send at most {a} bytes': 'Senden Sie höchstens {a} Byte',
  'The cursor is not one that this list gave: start from the first page':
    'Dieser Cursor stammt nicht von dieser Liste: Beginnen Sie auf der ersten Seite',
  'Attach a picture (PNG, JPEG, GIF or WebP), a video (MP4 or WebM), a PDF, a text, or an archive (ZIP or GZIP)':
    'Hängen Sie ein Bild (PNG, JPEG, GIF oder WebP), ein Video (MP4 oder WebM), ein PDF, einen Text oder ein Archiv (ZIP oder GZIP) an',
  'The file was lost while it arrived: send it again':
    'Die Datei ging beim Empfang verloren: Senden Sie sie noch einmal',
  'A file was lost while it arrived: send it again':
    'Eine Datei ging beim Empfang verloren: Senden Sie sie noch einmal',
  'The SVG contains programs, animations or entities: export it as a plain SVG or as PNG':
    'Das SVG enthält Programme, Animationen oder Entitäten: Exportieren Sie es als einfaches SVG oder als PNG',
  'An image may have {a} KiB': 'Ein Bild darf {a} KiB haben',
  'Somebody else has saved the look meanwhile: look at theirs, then save yours again':
    'Jemand anders hat das Erscheinungsbild inzwischen gespeichert: Sehen Sie es an, und speichern Sie dann Ihres noch einmal',
  'The file has format {a}, and this panel reads {b}: update the panel first':
    'Die Datei hat das Format {a}, und dieses Panel liest {b}: Aktualisieren Sie zuerst das Panel',
  'No server fails over by itself, so none stops while the control plane is away: just do your work':
    'Kein Server hat automatisches Failover, also stoppt auch keiner, während die Control Plane weg ist: Beginnen Sie einfach mit der Arbeit',
  'Its failover mode was changed meanwhile: look at it, and choose again':
    'Das Failover-Verhalten wurde inzwischen geändert: Sehen Sie es an, und wählen Sie neu',
  '{a} is not connected: choose auto once it is':
    '{a} ist nicht verbunden: Wählen Sie auto, sobald er es ist',
  '{a} is on again': '{a} ist wieder an',
  '{a} is accepted again': '{a} ist wieder aufgenommen',
  'Its servers are being brought back already': 'Seine Server werden schon zurückgeholt',
  'Send {a} as confirm: if the machine still runs, its servers would run twice until it is connected again':
    'Senden Sie {a} als confirm: Läuft der Rechner noch, würden seine Server doppelt laufen, bis er wieder verbunden ist',
  '{a} is connected again': '{a} ist wieder verbunden',
  '{a} has changed its place: look at the plan again':
    '{a} ist jetzt anderswo: Sehen Sie den Plan noch einmal an',
  '{a} is not connected, and what is on it can only be moved while it is':
    '{a} ist nicht verbunden, und nur dann kann umziehen, was darauf ist',
  '{a} is being emptied already: wait for it, or cancel that job':
    '{a} wird schon geräumt: Warten Sie, oder brechen Sie diesen Auftrag ab',
  '{a} has no servers to move': '{a} hat keine Server, die umziehen könnten',
  '{a} alone keeps {b} {c} of it, which cannot be restored on another node: send confirmBackupsLeft as true to move it nevertheless':
    'Nur {a} bewahrt {b} {c} davon auf, und auf einem anderen Node können sie nicht wiederhergestellt werden: Senden Sie confirmBackupsLeft als true, um den Server trotzdem umzuziehen',
  '{a}: use another node, or update its agent':
    '{a}: Verwenden Sie einen anderen Node, oder aktualisieren Sie seinen Agent',
  '{a}: update the agent': '{a}: Aktualisieren Sie den Agent',
  'The node is gone': 'Den Node gibt es nicht mehr',
  '{a} runs the newest agent already': '{a} hat schon den neuesten Agent',
  'No connected node has an agent that can be updated':
    'Kein verbundener Node hat einen Agent, der aktualisiert werden kann',
  'The agent of {a} cannot replace itself: paste a new join command on the machine, or update Lodge there':
    'Der Agent von {a} kann sich nicht selbst ersetzen: Führen Sie auf dem Rechner einen neuen Beitrittsbefehl aus, oder aktualisieren Sie Lodge dort',
  'This panel has no agent to hand out for {a}: restart it, or build Lodge for that architecture':
    'Dieses Panel hat keinen Agent für {a}: Starten Sie es neu, oder bauen Sie Lodge für diese Architektur',
  'The agent of {a} is being updated: wait for that job, or cancel it first':
    'Der Agent von {a} wird gerade aktualisiert: Warten Sie auf diesen Auftrag, oder brechen Sie ihn zuerst ab',
  '{a} is not connected: {b}': '{a} ist nicht verbunden: {b}',
  'The agent of {a} is too old for this: update it':
    'Der Agent von {a} ist dafür zu alt: Aktualisieren Sie ihn',
  'The agent of {a} could not do this: try again, and update it if that does not help':
    'Der Agent von {a} konnte das nicht tun: Versuchen Sie es erneut, und aktualisieren Sie ihn, wenn das nicht hilft',
  'The nodes are too busy to create a server now: try again in a moment':
    'Die Nodes sind zu beschäftigt, um jetzt einen Server zu erstellen: Versuchen Sie es gleich noch einmal',
  'The node has not enough capacity for this size: choose a smaller one, or move the server':
    'Der Node hat nicht genug Kapazität für diese Größe: Wählen Sie eine kleinere, oder ziehen Sie den Server auf einen anderen Node um',
  'No node has room for this server now: choose a smaller size or another location, or ask your host':
    'Kein Node hat zurzeit Platz für diesen Server: Wählen Sie eine kleinere Größe oder einen anderen Standort, oder fragen Sie Ihren Anbieter',
  '{a}: add one first': '{a}: Fügen Sie zuerst einen hinzu',
  'No node has room for {a} MiB of memory, {b} CPU and {c} MiB of disk: {d}':
    'Kein Node hat Platz für {a} MiB Arbeitsspeicher, {b} CPU und {c} MiB Speicherplatz: {d}',
  'The enrolment token was used or has expired: create a new one on the page of the node':
    'Das Beitrittstoken wurde benutzt oder ist abgelaufen: Erstellen Sie auf der Seite des Nodes ein neues',
  '{a} still has {b} servers: delete or move them first':
    '{a} hat noch {b} Server: Löschen Sie diese zuerst, oder ziehen Sie sie auf andere Nodes um',
  'A node with this name already exists: choose another name':
    'Einen Node mit diesem Namen gibt es schon: Wählen Sie einen anderen Namen',
  'Wait until it is complete, or cancel its job':
    'Warten Sie, bis es fertig ist, oder brechen Sie seinen Auftrag ab',
  'Say in the settings where backups of the panel go first':
    'Legen Sie zuerst in den Einstellungen fest, wohin Backups des Panels gehen',
  'Fill in its settings first': 'Füllen Sie zuerst seine Einstellungen aus',
  'This is another package than the one that was inspected: inspect it again':
    'Das ist ein anderes Paket als das zuvor geprüfte: Prüfen Sie es noch einmal',
  '{a} is installed already: update it instead': '{a} ist schon installiert: Aktualisieren Sie es',
  'Nobody signed this package: accept that with acceptUnsigned, or get it from a publisher who signs':
    'Dieses Paket ist nicht signiert: Nehmen Sie das mit acceptUnsigned an, oder holen Sie es von einem Herausgeber, der signiert',
  'A key that is not trusted here signed this package: accept that with acceptUnsigned, or add the key to LODGE_PLUGIN_KEYS':
    'Dieses Paket ist mit einem Schlüssel signiert, dem hier nicht vertraut wird: Nehmen Sie das mit acceptUnsigned an, oder fügen Sie den Schlüssel LODGE_PLUGIN_KEYS hinzu',
  'The package was changed after it was signed: get it from its publisher again':
    'Das Paket wurde nach dem Signieren geändert: Holen Sie es noch einmal vom Herausgeber',
  'The plugin registry: {a}': 'Das Plugin-Verzeichnis: {a}',
  'There is no such plugin in the registry': 'Dieses Plugin gibt es im Verzeichnis nicht',
  '{a} {b} needs settings that are not filled in: turn it off, update it and fill them in':
    '{a} {b} braucht Einstellungen, die nicht ausgefüllt sind: Schalten Sie es ab, aktualisieren Sie es, und füllen Sie sie aus',
  'There is no previous version to return to': 'Es gibt keine frühere Version',
  'The plugin would have the permission {a}, which you lack: ask an administrator who has it to accept this':
    'Das Plugin hätte die Berechtigung {a}, die Ihnen fehlt: Bitten Sie jemanden, der sie hat, das zu akzeptieren',
  'No plugin reaches this: a person has to do it in the panel':
    'Kein Plugin erreicht das: Jemand muss es im Panel tun',
  'The plugin was changed meanwhile: try again':
    'Das Plugin wurde inzwischen geändert: Versuchen Sie es erneut',
  'It answered {a} with something else': 'Es hat {a} mit etwas anderem beantwortet',
  'It could not be reached: {a}. Try again later':
    'Es war nicht erreichbar: {a}. Versuchen Sie es später erneut',
  'Say first where reports go: repository, client id, key':
    'Legen Sie zuerst fest, wohin Berichte gehen: Repository, Client-ID, Schlüssel',
  'Read the notice and agree to it first': 'Lesen Sie zuerst den Hinweis, und stimmen Sie ihm zu',
  'Somebody withdrew meanwhile: agree to the notice again':
    'Die Zustimmung wurde inzwischen zurückgezogen: Stimmen Sie dem Hinweis noch einmal zu',
  'There is no code to enter: begin to connect first':
    'Es ist kein Code einzugeben: Beginnen Sie zuerst mit dem Verbinden',
  'The service wants to be asked less often': 'Der Dienst möchte seltener gefragt werden',
  'It answered “{a}”': 'Die Antwort war „{a}“',
  'Somebody withdrew meanwhile, so nothing was connected':
    'Die Zustimmung wurde inzwischen zurückgezogen, deshalb wurde nichts verbunden',
  'Read the notice as it is now, and agree to that one':
    'Lesen Sie den Hinweis, wie er jetzt ist, und stimmen Sie diesem zu',
  'A medium with this name already exists: choose another name':
    'Ein Medium mit diesem Namen gibt es schon: Wählen Sie einen anderen Namen',
  'This medium is already registered under another name':
    'Dieses Medium ist schon unter einem anderen Namen eingetragen',
  'The medium is being checked: cancel that job first':
    'Das Medium wird gerade geprüft: Brechen Sie diesen Auftrag zuerst ab',
  '{a} uploads are unfinished already: finish or delete one of them first':
    '{a} Uploads sind noch nicht abgeschlossen: Beenden oder löschen Sie zuerst einen davon',
  'The control plane has room for {a} GiB of media and this one has {b}: delete others, or let media take more by LODGE_MEDIA_GIB or on another disk by LODGE_MEDIA':
    'Die Control Plane hat Platz für {a} GiB Medien, und dieses hat {b}: Löschen Sie andere, oder erlauben Sie mehr mit LODGE_MEDIA_GIB oder einen anderen Datenträger mit LODGE_MEDIA',
  'Nothing is expected for this medium: it was uploaded already':
    'Für dieses Medium wird nichts erwartet: Es wurde schon hochgeladen',
  'A network with this name already exists: choose another name':
    'Ein Netzwerk mit diesem Namen gibt es schon: Wählen Sie einen anderen Namen',
  '{a} is this network of libvirt already: give it to other nodes, or use that one':
    '{a} ist schon dieses Netzwerk von libvirt: Geben Sie es anderen Nodes, oder verwenden Sie jenes',
  'The addresses overlap with those of {a}': 'Die Adressen überschneiden sich mit denen von {a}',
  'The agent of {a} runs no virtual machines: update it and start it with the libvirt driver':
    'Der Agent von {a} führt keine virtuellen Maschinen aus: Aktualisieren Sie ihn, und starten Sie ihn mit dem libvirt-Treiber',
  'The agent of {a} is too old: update it': 'Der Agent von {a} ist zu alt: Aktualisieren Sie ihn',
  '{a} could not be checked: {b}': '{a} konnte nicht geprüft werden: {b}',
  '{a} is not prepared: {b}': '{a} ist nicht vorbereitet: {b}',
  'A profile with this name already exists: choose another name':
    'Ein Profil mit diesem Namen gibt es schon: Wählen Sie einen anderen Namen',
  'A built-in profile cannot be deleted: stop offering it instead':
    'Mitgelieferte Profile können nicht gelöscht werden: Bieten Sie es nicht mehr an',
  '{a} is used by {b}{c}: {d}': '{a} wird verwendet von {b}{c}: {d}',
  'A machine uses {a}: {b}': 'Eine Maschine verwendet {a}: {b}',
  'This attempt was already answered: start a new one':
    'Dieser Versuch wurde schon beantwortet: Beginnen Sie einen neuen',
  'The node is slow: {a} requests wait for its answer already. Try again in a moment':
    'Der Node ist langsam: {a} Anfragen warten schon auf seine Antwort. Versuchen Sie es gleich noch einmal',
  'The node did not open the connection in time':
    'Der Node hat die Verbindung nicht rechtzeitig geöffnet',
  'Its node has a newer state of it than the database, which was set back: an operator decides which one counts':
    'Sein Node hat einen neueren Stand als die zurückgesetzte Datenbank: Ein Betreiber entscheidet, welcher gilt',
  'The panel has no record of it on this node that could be kept: restore a newer backup of the panel, or let the node stop it. Its files stay there':
    'Das Panel hat keinen Eintrag dafür auf diesem Node, der bleiben könnte: Stellen Sie ein neueres Backup des Panels wieder her, oder lassen Sie den Node ihn stoppen. Die Dateien bleiben dort',
  'It runs on the node, and the panel holds it: end its suspension, deletion or job first, or apply what the panel knows':
    'Er läuft auf dem Node, und das Panel hält ihn fest: Beenden Sie zuerst Sperre, Löschung oder Auftrag, oder wenden Sie den Stand des Panels an',
  'The node is not connected': 'Der Node ist nicht verbunden',
  'The node did not open the console ({a}): try again, and update its agent if that does not help':
    'Der Node hat die Konsole nicht geöffnet ({a}): Versuchen Sie es erneut, und aktualisieren Sie seinen Agent, wenn das nicht hilft',
  'The node did not answer in time': 'Der Node hat nicht rechtzeitig geantwortet',
  'The transfer stood still for too long': 'Die Übertragung stand zu lange still',
  'The node broke the connection off: try again in a moment':
    'Der Node hat die Verbindung abgebrochen: Versuchen Sie es gleich noch einmal',
  'The node broke the connection off': 'Der Node hat die Verbindung abgebrochen',
  'Too many consoles are open already': 'Es sind schon zu viele Konsolen offen',
  'The permission was withdrawn': 'Die Berechtigung wurde zurückgezogen',
  'You have {a} transfers under way: wait for one of them to end':
    'Sie haben {a} laufende Übertragungen: Warten Sie, bis eine davon endet',
  'This server has {a} transfers under way: try again in a moment':
    'Dieser Server hat {a} laufende Übertragungen: Versuchen Sie es gleich noch einmal',
  'Other transfers of this server took too long':
    'Andere Übertragungen dieses Servers haben zu lange gedauert',
  'Too much work is already waiting for this node': 'Auf diesen Node wartet schon zu viel Arbeit',
  'The node credential is not valid: enrol the node again':
    'Die Zugangsdaten des Nodes sind ungültig: Lassen Sie ihn noch einmal beitreten',
  'This API token does not work: it was revoked or has expired. Create another one':
    'Dieses API-Token gilt nicht: Es wurde widerrufen oder ist abgelaufen. Erstellen Sie ein neues',
  'Viewing as a customer has ended: reload the page to act as yourself':
    'Die Ansicht als Kunde ist beendet: Laden Sie die Seite neu, um als Sie selbst zu handeln',
  'You are viewing as {a}: changes and consoles are off. Stop viewing to act as yourself':
    'Sie sehen das Panel als {a}: Änderungen und Konsolen sind aus. Beenden Sie die Ansicht, um als Sie selbst zu handeln',
  'No API token reaches this: it is for node agents':
    'Kein API-Token erreicht das: Es ist für Agents von Nodes',
  'Only a node agent may do this': 'Das darf nur der Agent eines Nodes',
  'A node agent may not do this': 'Das darf der Agent eines Nodes nicht',
  'Only an administrator may do this': 'Das darf nur ein Administrator',
  'Administrators cannot sign in from this address: use an allowed network':
    'Administratoren können sich von dieser Adresse nicht anmelden: Verwenden Sie ein erlaubtes Netzwerk',
  'This account is suspended: ask your host why and what can be done':
    'Dieses Konto ist gesperrt: Fragen Sie Ihren Anbieter nach dem Grund und was zu tun ist',
  'Administrators need a second factor: set one up under Account, Security':
    'Administratoren brauchen einen zweiten Faktor: Richten Sie einen unter Konto, Sicherheit ein',
  'Confirm your identity: with a second factor, or with your password if you have none':
    'Bestätigen Sie, dass Sie es sind: mit einem zweiten Faktor oder, wenn Sie keinen haben, mit Ihrem Passwort',
  'No API token reaches this: use the panel':
    'Kein API-Token erreicht das: Verwenden Sie das Panel',
  'This needs a token with the scope {a}': 'Dafür ist ein Token mit dem Bereich {a} nötig',
  'This needs the permission {a} on the {b}; its owner can grant it':
    'Dafür ist die Berechtigung {a} nötig ({b}); der Besitzer kann sie erteilen',
  'Use {a} here': 'Verwenden Sie hier {a}',
  'There is nothing at this address': 'An dieser Adresse gibt es nichts',
  'Send application/json': 'Senden Sie application/json',
  'Send a JSON body': 'Senden Sie JSON als Inhalt der Anfrage',
  'The body is larger than this address accepts':
    'Der Inhalt der Anfrage ist größer, als diese Adresse annimmt',
  'The body is shorter or longer than announced':
    'Der Inhalt der Anfrage ist kürzer oder länger als angekündigt',
  'The database is not available: try again in a moment':
    'Die Datenbank ist nicht verfügbar: Versuchen Sie es gleich noch einmal',
  'The request is not valid': 'Die Anfrage ist ungültig',
  'The fault is on our side. It is recorded under the request id':
    'Der Fehler liegt bei uns. Er ist unter der Nummer der Anfrage vermerkt',
  'The disk of the control plane is full, and nothing was changed: whoever runs this panel has to free space on it':
    'Der Datenträger der Control Plane ist voll, und nichts wurde geändert: Wer dieses Panel betreibt, muss Platz schaffen',
  'The first request with this Idempotency-Key is still being worked on: send it again in a moment':
    'Die erste Anfrage mit diesem Idempotency-Key wird noch bearbeitet: Senden Sie sie gleich noch einmal',
  'This Idempotency-Key was used for another request: use a new one':
    'Dieser Idempotency-Key wurde für eine andere Anfrage benutzt: Verwenden Sie einen neuen',
  'Send JSON in UTF-8, without compression': 'Senden Sie JSON in UTF-8, ohne Kompression',
  'Nest at most {a} levels deep': 'Verschachteln Sie höchstens {a} Ebenen tief',
  'Send exactly one Host header': 'Senden Sie genau einen Host-Header',
  'Open a WebSocket here; if you did, a proxy did not pass on its Upgrade header':
    'Öffnen Sie hier einen WebSocket; haben Sie das getan, hat ein Proxy den Header Upgrade nicht weitergereicht',
  'Open the panel at its own address, {a}, and try again':
    'Öffnen Sie das Panel unter seiner eigenen Adresse, {a}, und versuchen Sie es erneut',
  'Send the body without compression': 'Senden Sie den Inhalt der Anfrage ohne Kompression',
  'Send {a}': 'Senden Sie {a}',
  'Too many {a}: try again in {b} seconds': 'Zu viele {a}: Versuchen Sie es in {b} Sekunden erneut',
  'Too much is being received now: try again in {a} seconds':
    'Zurzeit kommt zu viel auf einmal an: Versuchen Sie es in {a} Sekunden erneut',
  'Only a WebSocket may be opened here': 'Hier kann nur ein WebSocket geöffnet werden',
  'The fault is on our side and has been recorded': 'Der Fehler liegt bei uns und ist vermerkt',
  'Another job of this server is running: wait for it, or cancel it first':
    'Ein anderer Auftrag dieses Servers läuft: Warten Sie darauf, oder brechen Sie ihn zuerst ab',
  'Too many open panels in this browser: close some':
    'In diesem Browser sind zu viele Panels offen: Schließen Sie einige',
  'Send the metrics token as a bearer token: LODGE_METRICS_TOKEN, or the file metrics-token of the data folder':
    'Senden Sie das Metrik-Token als Bearer-Token: LODGE_METRICS_TOKEN oder die Datei metrics-token im Datenordner',
}
