import type { Phrases } from '../phrasebook.ts'

/** Why imports from other panels skip records, and why they fail. */
export const imports: Phrases = {
  'its service is not in the export': 'Sein Dienst ist nicht im Export',
  'there is no such server': 'Diesen Server gibt es nicht',
  'another subscription has it': 'Ein anderes Abonnement hat ihn',
  'another account owns it': 'Er gehört einem anderen Konto',
  'it is about to be deleted': 'Er wird bald gelöscht',
  'its subscription is {a}': 'Der Status seines Abonnements ist {a}',
  'its plan has no servers: name a server plan with --plan':
    'Sein Tarif hat keine Server: Nennen Sie mit --plan einen Servertarif',
  'its plan has servers of another kind': 'Sein Tarif hat Server einer anderen Art',
  'its subscription has another server': 'Sein Abonnement hat einen anderen Server',
  'it changed meanwhile: import again': 'Er hat sich inzwischen geändert: Importieren Sie erneut',
  '{a}, line {b}, {c}: export it with quotes around each field, and two where a field has one':
    '{a}, Zeile {b}, {c}: Exportieren Sie mit Anführungszeichen um jedes Feld und zweien, wo ein Feld eines hat',
  'Two files are named {a}.csv: name one': 'Zwei Dateien heißen {a}.csv: Nennen Sie eine',
  'There is no file that ends in .csv or .sql: see --help':
    'Keine Datei endet auf .csv oder .sql: siehe --help',
  '{a} has more than {b} rows: import parts of it':
    '{a} hat mehr als {b} Zeilen: Importieren Sie in Teilen',
  '{a} is not in {b}: export it in UTF-8, or say what it is in with --encoding ({c})':
    '{a} ist nicht in {b}: Exportieren Sie in UTF-8, oder sagen Sie mit --encoding, worin es ist ({c})',
  '{a} names {b}, which is no id of a server': '{a} nennt {b}, das keine ID eines Servers ist',
  'There is no file or folder {a}': 'Es gibt keine Datei und keinen Ordner {a}',
  '{a} has no column {b}: export all columns, with their names in the first line':
    '{a} hat keine Spalte {b}: Exportieren Sie alle Spalten, mit ihren Namen in der ersten Zeile',
  '{a} has a row of {b} fields instead of {c}, which begins with {d}: export it with quotes around each field':
    '{a} hat eine Zeile mit {b} statt {c} Feldern, die mit {d} beginnt: Exportieren Sie mit Anführungszeichen um jedes Feld',
  'its customer is not in the export': 'Der Kunde ist nicht im Export',
  'its currency is unknown': 'Die Währung ist unbekannt',
  'it is negative, or no amount of its currency':
    'Der Betrag ist negativ, oder es gibt ihn in der Währung nicht',
  'another import is running: import again':
    'Ein anderer Import läuft: Importieren Sie danach erneut',
  'its customer is skipped: {a}': 'Der Kunde wird übersprungen: {a}',
  'its customer was deleted here': 'Der Kunde wurde hier gelöscht',
  'its address is no e-mail address': 'Die Adresse ist keine E-Mail-Adresse',
  'it has the same e-mail address as {a}': 'Die E-Mail-Adresse ist dieselbe wie die von {a}',
  'an administrator here has this e-mail address':
    'Ein Administrator hat hier diese E-Mail-Adresse',
  'an account here has this e-mail address, but nobody has confirmed it':
    'Ein Konto hat hier diese E-Mail-Adresse, aber niemand hat sie bestätigt',
  'an account here has this e-mail address, and waits for approval: decide first':
    'Ein Konto hat hier diese E-Mail-Adresse und wartet auf Freigabe: Entscheiden Sie zuerst',
  'its e-mail address was taken meanwhile: import again':
    'Die E-Mail-Adresse wurde inzwischen vergeben: Importieren Sie erneut',
  'its plan was deleted here': 'Der Tarif wurde hier gelöscht',
  'its plan is not imported': 'Der Tarif wird nicht importiert',
  'its name is none: name a plan of this panel with --plan':
    'Der Name ist keiner: Nennen Sie mit --plan einen Tarif dieses Panels',
  'the plan has another one for this time and currency':
    'Der Tarif hat schon einen für diese Laufzeit und Währung',
  'its product is not in the export': 'Das Produkt ist nicht im Export',
  'its subscription was deleted here': 'Das Abonnement wurde hier gelöscht',
  'its subscription is skipped: {a}': 'Das Abonnement wird übersprungen: {a}',
  'its price is negative, or no amount of its currency':
    'Der Preis ist negativ, oder es gibt ihn in der Währung nicht',
  'its quantity is none': 'Die Menge ist keine',
  'its price is too high': 'Der Preis ist zu hoch',
  'it is suspended although it costs nothing more': 'Es ist gesperrt, obwohl es nichts mehr kostet',
  'it has no due date': 'Es hat kein Fälligkeitsdatum',
  'it is suspended although it is paid': 'Es ist gesperrt, obwohl es bezahlt ist',
  'it is an administrator there': 'Er ist dort Administrator',
  'its status is {a}': 'Der Status ist {a}',
  'its plan is not in the export': 'Der Tarif ist nicht im Export',
  'nothing renews every {a} here': 'Hier verlängert sich nichts alle {a}',
  'its id is none': 'Die ID ist keine',
  'its id comes twice': 'Die ID kommt zweimal vor',
  '{a} is what {b} was imported as: give this installation another name with --as':
    'Als {a} wurde {b} importiert: Geben Sie dieser Installation mit --as einen anderen Namen',
  '{a} {b} is not the one that was imported as {c}: if this is another installation, give it a name of its own with --as':
    '{a} {b} ist nicht, was als {c} importiert wurde: Wenn dies eine andere Installation ist, geben Sie ihr mit --as einen eigenen Namen',
  'tblcurrencies has no rows: export it with the other tables':
    'tblcurrencies hat keine Zeilen: Exportieren Sie es mit den anderen Tabellen',
  'its account is closed': 'Das Konto ist geschlossen',
  'its billing cycle is {a}': 'Der Abrechnungszeitraum ist {a}',
  'The import was ended: run it again, and it goes on':
    'Der Import wurde beendet: Starten Sie ihn erneut, und er fährt fort',
  'It ended unexpectedly: run it again, and it goes on':
    'Er endete unerwartet: Starten Sie ihn erneut, und er fährt fort',
}
