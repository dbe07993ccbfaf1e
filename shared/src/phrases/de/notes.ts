import type { Phrases } from '../phrasebook.ts'

/** What became of a document that was imported as a template. */
export const notesOfTemplates: Phrases = {
  'This is not a list of files and was left out':
    'Das ist keine Liste von Dateien und wurde weggelassen',
  'The file was left out: {a}': 'Die Datei wurde weggelassen: {a}',
  'The edit was left out: it names no place, is too long, or its value is a list':
    'Die Bearbeitung wurde weggelassen: Sie nennt keine Stelle, ist zu lang, oder ihr Wert ist eine Liste',
  'Edits after the 500th were left out': 'Bearbeitungen nach der 500. wurden weggelassen',
  'A line was left out: {a}': 'Eine Zeile wurde weggelassen: {a}',
  'Lines after the 20th were left out': 'Zeilen nach der 20. wurden weggelassen',
  'Spaces or a leading ~ were taken off the image name':
    'Leerzeichen oder ein führendes ~ wurden vom Namen des Images entfernt',
  'The image was left out: {a}': 'Das Image wurde weggelassen: {a}',
  'The variable has no env_variable and was left out':
    'Die Variable hat kein env_variable und wurde weggelassen',
  'A second variable {a} was left out': 'Eine zweite Variable {a} wurde weggelassen',
  '{a} is now called {b}: its name is taken or not possible':
    '{a} heißt nun {b}: Der Name ist vergeben oder nicht möglich',
  'The default is not text and was left out': 'Die Vorgabe ist kein Text und wurde weggelassen',
  'The default of {a} breaks its own rules: {b}':
    'Die Vorgabe von {a} verstößt gegen ihre eigenen Regeln: {b}',
  'The placeholder {a} is not known and stays as it is':
    'Der Platzhalter {a} ist nicht bekannt und bleibt, wie er ist',
  'The document has no name': 'Das Dokument hat keinen Namen',
  'The document names no usable image': 'Das Dokument nennt kein brauchbares Image',
  'The document has no startup command': 'Das Dokument hat keinen Startbefehl',
  'This is not a UUID and was left out': 'Das ist keine UUID und wurde weggelassen',
  'The icon is {a} and is now labelled so': 'Das Icon ist {a} und wird nun so bezeichnet',
  'The icon was left out: it {a}': 'Das Icon wurde weggelassen: Es {a}',
  'The command is too long': 'Der Befehl ist zu lang',
  'No usable stop value: SIGTERM is sent': 'Kein brauchbarer Stoppwert: SIGTERM wird gesendet',
  'The script still says {a}: where it means the variable, write {b}':
    'Im Skript steht noch {a}: Schreiben Sie {b}, wo die Variable gemeint ist',
  'The install script was left out: {a}': 'Das Installationsskript wurde weggelassen: {a}',
  'A rule that is not text was left out': 'Eine Regel, die kein Text ist, wurde weggelassen',
  'The rules are neither text nor a list and were left out':
    'Die Regeln sind weder Text noch eine Liste und wurden weggelassen',
  'The rule "{a}" was left out: {b}': 'Die Regel „{a}“ wurde weggelassen: {b}',
  'The rule "{a}" was left out: its expression is empty or too long':
    'Die Regel „{a}“ wurde weggelassen: Ihr Ausdruck ist leer oder zu lang',
  'The expression "{a}" has no delimiters': 'Der Ausdruck „{a}“ hat keine Begrenzer',
  'The flags "{a}" of an expression were left out':
    'Die Flags „{a}“ eines Ausdrucks wurden weggelassen',
  'The expression "{a}" is kept but not checked: {b}':
    'Der Ausdruck „{a}“ bleibt, wird aber nicht geprüft: {b}',
}

/** Why, in them. */
export const valuesOfNotes: Phrases = {
  'its parser is not known': 'Ihr Parser ist nicht bekannt',
  'its path leaves the data folder': 'Ihr Pfad verlässt den Datenordner',
  'it is too long': 'Sie ist zu lang',
  'it is too large': 'Es ist zu groß',
  'it is not known': 'Sie ist nicht bekannt',
  'it needs one number': 'Sie braucht eine Zahl',
  'it needs two numbers': 'Sie braucht zwei Zahlen',
  'it needs a count of digits': 'Sie braucht eine Anzahl von Ziffern',
  'it needs 1 to 500 values': 'Sie braucht 1 bis 500 Werte',
  'it has no room': 'Er hat keinen Platz',
  'another one has its name': 'Ein anderes hat seinen Namen',
  'is not a picture as a data: URL': 'ist kein Bild als data:-URL',
}

/** Why a message did not reach a channel, as its log says. */
export const notesOfDeliveries: Phrases = {
  'It answered with a redirect ({a}), which is not followed: enter the address that it leads to':
    'Der Empfänger antwortete mit einer Weiterleitung ({a}), der nicht gefolgt wird: Geben Sie die Adresse ein, zu der sie führt',
  'It answered {a}': 'Der Empfänger antwortete mit {a}',
  'The address is not used: {a}': 'Die Adresse wird nicht benutzt: {a}',
  'It did not answer within {a} seconds':
    'Der Empfänger antwortete nicht innerhalb von {a} Sekunden',
  'Its name has no address': 'Der Name des Empfängers hat keine Adresse',
  'It refused the connection': 'Der Empfänger lehnte die Verbindung ab',
  'It could not be reached: {a}': 'Der Empfänger war nicht zu erreichen: {a}',
  'The host has turned this mail off': 'Der Host hat diese E-Mail ausgeschaltet',
  'No mail server could be talked to: check host, port, security and certificate; the log says more':
    'Kein Mailserver war zu erreichen: Prüfen Sie Host, Port, Sicherheit und Zertifikat; das Log sagt mehr',
  expired: 'zu spät: Der Link oder die Frist ist abgelaufen',
  'The channel was disabled': 'Der Kanal wurde ausgeschaltet',
  'Sent in the built-in style: {a}': 'Im eingebauten Stil gesendet: {a}',
  'only https is spoken': 'Es wird nur https gesprochen',
  'no credentials in it': 'Sie darf keine Zugangsdaten enthalten',
  'the name has no address': 'Der Name hat keine Adresse',
  'the answer is too large': 'Die Antwort ist zu groß',
  'the address is not one of the public internet':
    'Die Adresse gehört nicht zum öffentlichen Internet',
  'the address is not one of the public internet. To allow it, name its host:port in LODGE_EGRESS_HOSTS of the control plane and of its nodes, and start them again':
    'Die Adresse gehört nicht zum öffentlichen Internet. Um sie zu erlauben, nennen Sie Host und Port in LODGE_EGRESS_HOSTS der Control Plane und ihrer Nodes, und starten Sie sie neu',
}

/** Why the style of a channel was not used. */
export const valuesOfDeliveries: Phrases = {
  'the receiver took none of the chosen one': 'Den gewählten nahm der Empfänger nicht an',
  'the receiver answered {a} to the chosen one':
    'Auf den gewählten antwortete der Empfänger mit {a}',
}
