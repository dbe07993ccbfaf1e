import type { Phrases } from '../phrasebook.ts'

/** What the control plane says of a field that only it can judge, to be read after its name. */
export const checksOfTheServer: Phrases = {
  'must not contain a NUL character': 'darf kein NUL-Zeichen enthalten',
  'must be well-formed Unicode': 'muss wohlgeformtes Unicode sein',
  'must be 1 to 255 visible ASCII characters':
    'muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen',
  'is not a host port of this server: add one first':
    'ist kein Host-Port dieses Servers: Fügen Sie zuerst einen hinzu',
  'has two rules for the same protocol': 'hat zwei Regeln für dasselbe Protokoll',
  'is taken': 'ist schon vergeben',
  'is required': 'ist erforderlich',
  'is needed': 'wird gebraucht',
  'is missing': 'fehlt',
  'is not a plugin that calculates tax and is on':
    'ist kein eingeschaltetes Plugin, das Steuern berechnet',
  'is unknown': 'ist unbekannt',
  'is in the past': 'liegt in der Vergangenheit',
  'is named twice': 'ist zweimal genannt',
  'is not an account': 'ist kein Konto',
  'is no account': 'ist kein Konto',
  'is not a node': 'ist kein Node',
  'is no node': 'ist kein Node',
  'is not a network': 'ist kein Netz',
  'is not a template': 'ist keine Vorlage',
  'is not a plan': 'ist kein Tarif',
  'is no plan': 'ist kein Tarif',
  'is not a server of yours': 'ist kein Server von Ihnen',
  'is no server of yours': 'ist kein Server von Ihnen',
  'is no subscription of yours': 'ist kein Abonnement von Ihnen',
  'is no server': 'ist kein Server',
  'is not a server of this template': 'ist kein Server dieser Vorlage',
  'is not open for this machine': 'steht dieser Maschine nicht offen',
  'is not a shared storage that a node has now':
    'ist kein gemeinsamer Speicher, den zurzeit ein Node hat',
  'is not a shared storage that the node has now':
    'ist kein gemeinsamer Speicher, den der Node zurzeit hat',
  'does not have this shared storage now': 'hat diesen gemeinsamen Speicher zurzeit nicht',
  'is only for virtual machines': 'ist nur für virtuelle Maschinen',
  'is for a reinstallation: send reinstall too':
    'ist für eine Neuinstallation: Senden Sie auch „reinstall“',
  'is required for a new disk': 'ist für einen neuen Datenträger erforderlich',
  'is not a disk of this machine': 'ist kein Datenträger dieser Maschine',
  'must not be less than {a}: a disk never shrinks':
    'darf nicht kleiner als {a} sein: Ein Datenträger schrumpft nie',
  'needs a system disk of {a} MiB at least: let it grow first':
    'braucht einen Systemdatenträger von mindestens {a} MiB: Vergrößern Sie ihn zuerst',
  'is not enabled for new machines': 'ist für neue Maschinen nicht freigegeben',
  'is not a hardware profile': 'ist kein Hardwareprofil',
  'must be {a} at least: the image is that large':
    'muss mindestens {a} sein: So groß ist das Image',
  'must be {a} at least: {b} is that large': 'muss mindestens {a} sein: So groß ist {b}',
  'must be {a} at least with the hardware {b}': 'muss mit der Hardware {b} mindestens {a} sein',
  'is not a medium': 'ist kein Medium',
  'is still being uploaded': 'wird noch hochgeladen',
  'is still being downloaded and checked': 'wird noch heruntergeladen und geprüft',
  'did not pass its check': 'hat seine Prüfung nicht bestanden',
  'is not enabled for new installations': 'ist für neue Installationen nicht freigegeben',
  'is a disk image, not an installation medium':
    'ist ein Datenträger-Image, kein Installationsmedium',
  'is an installation medium, not a disk image':
    'ist ein Installationsmedium, kein Datenträger-Image',
  'is not one of {a}': 'ist nichts von {a}',
  'is not a variable you may edit': 'ist keine Variable, die Sie ändern dürfen',
  'is required to restore': 'ist zum Wiederherstellen erforderlich',
  'has to be entered again, because endpoint, bucket or key id changed':
    'muss neu eingegeben werden, weil sich Endpunkt, Bucket oder Schlüssel-ID geändert haben',
  'has to be entered again, because the provider changed':
    'muss neu eingegeben werden, weil sich der Anbieter geändert hat',
  'has to be entered again, because host, port, security or user changed':
    'muss neu eingegeben werden, weil sich Host, Port, Verschlüsselung oder Benutzer geändert haben',
  'is required for signatures': 'ist für Signaturen erforderlich',
  'is not a private key in PEM form': 'ist kein privater Schlüssel in PEM-Form',
  'needs a site key and a secret': 'braucht einen Site-Key und ein Secret',
  'names a node that does not exist': 'nennt einen Node, den es nicht gibt',
  'must have a prefix of 8 to 30 bits': 'muss ein Präfix von 8 bis 30 Bit haben',
  'must be an address of the subnet': 'muss eine Adresse des Subnetzes sein',
  'must not be before the first address': 'darf nicht vor der ersten Adresse liegen',
  'the pool must not hold the gateway': 'der Pool darf das Gateway nicht enthalten',
  'is registered already': 'ist schon registriert',
  'overlaps with another network': 'überschneidet sich mit einem anderen Netz',
  'needs UEFI: a BIOS does not measure what it starts':
    'braucht UEFI: Ein BIOS misst nicht, was es startet',
  'is not an answer to this registration': 'ist keine Antwort auf diese Registrierung',
  'is the port of SFTP already: choose another one':
    'ist schon der Port von SFTP: Wählen Sie einen anderen',
  'is among the ports of the servers of this node: choose one outside of them':
    'liegt unter den Ports der Server dieses Nodes: Wählen Sie einen anderen',
  'must not contain a name or a password': 'darf weder Namen noch Passwort enthalten',
  'must be the etag of one version, in quotation marks':
    'muss das ETag einer Version sein, in Anführungszeichen',
  'must be *': 'muss * sein',
  'must be a number of bytes': 'muss eine Anzahl von Bytes sein',
  'must be the number of bytes': 'muss die Anzahl der Bytes sein',
  'is a private key, which belongs to nobody but you: send the line of the .pub file':
    'ist ein privater Schlüssel, der nur Ihnen gehört: Senden Sie die Zeile der .pub-Datei',
  'is a key of a security token, which SFTP does not take: use an Ed25519 key':
    'ist der Schlüssel eines Sicherheits-Tokens, den SFTP nicht annimmt: Verwenden Sie einen Ed25519-Schlüssel',
  'must be a single line, as in a file that ends in .pub':
    'muss eine einzelne Zeile sein, wie in einer Datei, die auf .pub endet',
  'is not a public key of SSH: send the line of a .pub file, such as id_ed25519.pub':
    'ist kein öffentlicher SSH-Schlüssel: Senden Sie die Zeile einer .pub-Datei wie id_ed25519.pub',
  'has {a} bits: an RSA key needs {b}, and Ed25519 is better still':
    'hat {a} Bit: Ein RSA-Schlüssel braucht {b}, und noch besser ist Ed25519',
  'leads to more than {a}': 'führt zu mehr als {a}',
  'did not give its document within {a} s': 'hat ihr Dokument nicht innerhalb von {a} s geliefert',
  'is not fetched: {a}': 'wird nicht abgerufen: {a}',
  'is not answered: {a}': 'wird nicht beantwortet: {a}',
  'cannot be reached: look whether it is written correctly, and whether it opens in a browser':
    'ist nicht erreichbar: Prüfen Sie, ob sie richtig geschrieben ist und sich in einem Browser öffnet',
  'is not one of GET /api/notification-events': 'ist nichts aus GET /api/notification-events',
  'is not for channels of the kind {a}': 'ist nichts für Kanäle der Art {a}',
  'is not one of GET /api/notification-styles for this kind of channel':
    'ist nichts aus GET /api/notification-styles für diese Art von Kanal',
  'is made by the browser: remove this channel and add it there again':
    'entsteht im Browser: Entfernen Sie diesen Kanal, und fügen Sie ihn dort neu hinzu',
  'is not a part of a channel of the kind {a}': 'gehört nicht zu einem Kanal der Art {a}',
  'must not be the address of this panel': 'darf nicht die Adresse dieses Panels sein',
  'must be the address that the push service of a browser gave, with https://':
    'muss die Adresse sein, die der Push-Dienst eines Browsers gab, mit https://',
  'must be the address of the home server, such as https://matrix.org':
    'muss die Adresse des Homeservers sein, zum Beispiel https://matrix.org',
  'must be the id of a room, such as !abc:matrix.org: its settings show it':
    'muss die ID eines Raums sein, zum Beispiel !abc:matrix.org: Seine Einstellungen zeigen sie',
  'must be the access token of an account': 'muss das Zugriffstoken eines Kontos sein',
  'must be the number of a chat, such as -1001234567890, or a channel such as @name':
    'muss die Nummer eines Chats sein, zum Beispiel -1001234567890, oder ein Kanal wie @name',
  'must be the token of a bot, such as 123456:ABC…: @BotFather gives it':
    'muss das Token eines Bots sein, zum Beispiel 123456:ABC…: @BotFather vergibt es',
  'must be the address of a topic, such as https://ntfy.sh/my-topic':
    'muss die Adresse eines Themas sein, zum Beispiel https://ntfy.sh/my-topic',
  'must begin with https://': 'muss mit https:// beginnen',
  'must not contain a user name or password: check the signature instead':
    'darf weder Benutzernamen noch Passwort enthalten: Prüfen Sie stattdessen die Signatur',
  'must be the address of the Gotify server, such as https://gotify.example.com':
    'muss die Adresse des Gotify-Servers sein, zum Beispiel https://gotify.example.com',
  'must be the token of an application': 'muss das Token einer Anwendung sein',
  'must look like {a}': 'muss so aussehen: {a}',
  'must have an auth of {a} bytes': 'muss ein „auth“ von {a} Byte haben',
  'must have the uncompressed point of a P-256 key as p256dh':
    'muss den unkomprimierten Punkt eines P-256-Schlüssels als „p256dh“ haben',
  'is not there any more: upload it again': 'ist nicht mehr da: Laden Sie es noch einmal hoch',
  'is not that of the image': 'ist nicht die des Bilds',
  'must be multipart/form-data with the field kind and then a file':
    'muss multipart/form-data mit dem Feld „kind“ und danach einer Datei sein',
  'must be the first field': 'muss das erste Feld sein',
  'must be one of {a}': 'muss eines davon sein: {a}',
  'must be a file after the kind': 'muss eine Datei nach „kind“ sein',
  'must not contain closing tags, comments of HTML or backslashes':
    'darf keine schließenden Tags, HTML-Kommentare oder Backslashes enthalten',
  'line {a}: {b}': 'Zeile {a}: {b}',
  'is after today, {a}': 'liegt nach heute, {a}',
  'is after the last day': 'liegt nach dem letzten Tag',
  'begins more than {a} {b}s before the last day: choose a later one':
    'beginnt zu früh vor dem letzten Tag, höchstens {a} {b} sind möglich: Wählen Sie einen späteren',
  'is before {a}': 'liegt vor {a}',
  'is more than {a} days before the last day': 'liegt mehr als {a} Tage vor dem letzten Tag',
  'is more than {a} days ago': 'liegt mehr als {a} Tage zurück',
  'is not for sale': 'steht nicht zum Verkauf',
  'cannot be used: this plan has no server':
    'kann nicht verwendet werden: Dieser Tarif hat keinen Server',
  'has no template, and neither has the plan': 'hat keine Vorlage, und der Tarif auch nicht',
  'comes with no such plan': 'gehört zu keinem solchen Tarif',
  'is not a server of this customer': 'ist kein Server dieses Kunden',
  'is of another kind than the servers of this plan':
    'ist von anderer Art als die Server dieses Tarifs',
  'cannot be sent together with a new server':
    'kann nicht zusammen mit einem neuen Server gesendet werden',
  'has no price': 'hat keinen Preis',
  'is one of several': 'ist eine von mehreren',
  'is not offered with this plan': 'wird mit diesem Tarif nicht angeboten',
  'nobody could sign in: give an SSH key or a first password':
    'niemand könnte sich anmelden: Geben Sie einen SSH-Schlüssel oder ein Startpasswort an',
  'goes back through its provider only': 'geht nur über den Zahlungsanbieter zurück',
  'is not of this invoice': 'gehört nicht zu dieser Rechnung',
  'is no account plan that can be had': 'ist kein Kontotarif, den man haben kann',
  'is no group of the desk': 'ist keine Gruppe des Support-Desks',
  'stays true: make another tier the default instead':
    'bleibt wahr: Machen Sie stattdessen eine andere Stufe zum Standard',
  'is the name of another tier': 'ist der Name einer anderen Stufe',
  'is a plan of the tier {a}: take it from there first':
    'ist ein Tarif der Stufe {a}: Nehmen Sie ihn zuerst dort heraus',
  'is no question of this category': 'ist keine Frage dieser Kategorie',
  'is needed: {a}': 'wird gebraucht: {a}',
  'must be a {a}': 'muss von der Art „{a}“ sein',
  'is no group': 'ist keine Gruppe',
  'is not a file that was uploaded here within the last hours: upload it again':
    'ist keine Datei, die hier in den letzten Stunden hochgeladen wurde: Laden Sie sie noch einmal hoch',
  'is nobody who may see tickets': 'ist niemand, der Tickets sehen darf',
  'is needed: somebody signed up with this address more than once':
    'wird gebraucht: Mit dieser Adresse hat sich jemand mehr als einmal registriert',
  'is needed: name the address people write to':
    'wird gebraucht: Nennen Sie die Adresse, an die man schreibt',
  'is not as a mail has it': 'ist nicht so, wie eine E-Mail es hat',
  'is no ticket': 'ist kein Ticket',
  'is no category of the desk': 'ist keine Kategorie des Support-Desks',
  'is no group of agents': 'ist keine Gruppe von Bearbeitern',
  'is no tier of the desk': 'ist keine Stufe des Support-Desks',
  'is none of your webhooks that are in use': 'ist keiner Ihrer Webhooks, die in Gebrauch sind',
  'reaches back to more than {a} tickets: choose a later first day':
    'reicht zu mehr als {a} Tickets zurück: Wählen Sie einen späteren ersten Tag',
  'must be messages of this ticket': 'müssen Nachrichten dieses Tickets sein',
  'must leave a message behind': 'müssen eine Nachricht zurücklassen',
  'must be within the next year': 'muss innerhalb des nächsten Jahres liegen',
  'is needed: choose the server that this is about':
    'wird gebraucht: Wählen Sie den Server, um den es geht',
  'must be another ticket': 'muss ein anderes Ticket sein',
  'must be at most {a}': 'dürfen höchstens {a} sein',
  'does not render: {a}': 'lässt sich nicht darstellen: {a}',
  'does not parse: {a}': 'lässt sich nicht lesen: {a}',
  'names the unknown {a}; allowed are {b}': 'nennt Unbekanntes: {a}; erlaubt sind {b}',
  'must not hold programs, forms, frames or their links':
    'darf keine Programme, Formulare, Frames oder Links darauf enthalten',
  'is not a file that you uploaded': 'ist keine Datei, die Sie hochgeladen haben',
  'is a state of maintenance': 'ist ein Zustand einer Wartung',
  'must be completed or cancelled: the others follow the clock':
    'muss „completed“ oder „cancelled“ sein: Die anderen folgen der Uhr',
  'must be after the start': 'muss nach dem Beginn liegen',
  'must not have passed': 'darf nicht vergangen sein',
  'is no component of the status page': 'ist keine Komponente der Statusseite',
  'is needed for a new account': 'wird für ein neues Konto gebraucht',
  'is only for the source upload': 'ist nur für die Quelle „upload“',
  'must not be false with a backup': 'darf mit einem Backup nicht falsch sein',
}

/** What is wrong with a line of CSS. */
export const faultsOfCss: Phrases = {
  'this part is not understood': 'dieser Teil wird nicht verstanden',
  'url() is not allowed: upload images instead':
    'url() ist nicht erlaubt: Laden Sie stattdessen Bilder hoch',
  '@{a} is not allowed': '@{a} ist nicht erlaubt',
  '{a}() is not allowed': '{a}() ist nicht erlaubt',
  'attribute selectors are not allowed': 'Attribut-Selektoren sind nicht erlaubt',
  'select by .lodge-… or :root, not by {a}':
    'wählen Sie mit .lodge-… oder :root aus, nicht mit {a}',
  'select by .lodge-…, not by .{a}': 'wählen Sie mit .lodge-… aus, nicht mit .{a}',
  'pseudo-elements are not allowed': 'Pseudo-Elemente sind nicht erlaubt',
  ':{a} is not allowed': ':{a} ist nicht erlaubt',
  '{a} is not allowed': '{a} ist nicht erlaubt',
  'display: none is not allowed': 'display: none ist nicht erlaubt',
  'opacity below 0.2 is not allowed': 'opacity unter 0.2 ist nicht erlaubt',
}
