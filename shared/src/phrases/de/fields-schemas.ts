import type { Phrases } from '../phrasebook.ts'

/** What the checks of schemas say of a field, to be read after its name. */
export const checksOfSchemas: Phrases = {
  'is not an e-mail address': 'ist keine E-Mail-Adresse',
  'is not a time': 'ist keine Zeit',
  'is in the future': 'liegt in der Zukunft',
  'is more than 365 days ago': 'liegt mehr als 365 Tage zurück',
  'must have 12 or more characters': 'muss mindestens 12 Zeichen haben',
  'must have at most 1,024 bytes': 'darf höchstens 1.024 Byte haben',
  'must be one line of visible characters': 'muss eine einzelne Zeile sichtbarer Zeichen sein',
  'must not begin with ! or #': 'darf nicht mit ! oder # beginnen',
  'must not contain a backslash or ?: use * instead':
    'darf keinen Backslash und kein ? enthalten: Verwenden Sie stattdessen *',
  'must be a name or a path without . and ..': 'muss ein Name oder ein Pfad ohne . und .. sein',
  'may contain ** once, as the name of any folders':
    'darf ** einmal enthalten, als Name beliebiger Ordner',
  'would leave out everything': 'würde alles auslassen',
  'is not a language tag, for example en-GB':
    'ist kein Sprachkürzel nach BCP 47, zum Beispiel en-GB',
  'must not be empty': 'darf nicht leer sein',
  'must be text': 'muss Text sein',
  'must not be in /{a}, which nobody sees': 'darf nicht in /{a} liegen, das niemand sieht',
  'must be two different nodes': 'müssen zwei verschiedene Nodes sein',
  'has to say where the bucket is': 'muss sagen, wo der Bucket liegt',
  'has to name a node': 'muss einen Node nennen',
  'or content is required': 'oder „content“ ist nötig',
  'must be the name of a package': 'muss der Name eines Pakets sein',
  'must not contain a null character': 'darf kein Nullzeichen enthalten',
  'must begin with #cloud-config, or with #! and the program that runs it':
    'muss mit #cloud-config beginnen oder mit #! und dem Programm, das es ausführt',
  'must be one word of letters, digits, dots, dashes and underscores':
    'muss ein einzelnes Wort aus Buchstaben, Ziffern, Punkten, Binde- und Unterstrichen sein',
  'must be a file name': 'muss ein Dateiname sein',
  'is not a time zone, for example Europe/Zurich': 'ist keine Zeitzone wie Europe/Zurich',
  'must be an address that begins with https://':
    'muss eine Adresse sein, die mit https:// beginnt',
  'must be 64 hexadecimal digits': 'muss aus 64 Hexadezimalziffern bestehen',
  "give either the fingerprint or the address of the publisher's checksums":
    'geben Sie entweder den Fingerabdruck oder die Adresse der Prüfsummen des Herausgebers an',
  'must have 8 characters at least': 'muss mindestens 8 Zeichen haben',
  'must be one line': 'muss eine einzelne Zeile sein',
  'nobody could sign in: give an SSH key, a first password or user data of your own':
    'niemand könnte sich anmelden: Geben Sie einen SSH-Schlüssel, ein Startpasswort oder eigene Nutzerdaten an',
  'must begin with a slash': 'muss mit einem Schrägstrich beginnen',
  'must be an absolute path without . and ..': 'muss ein absoluter Pfad ohne . und .. sein',
  'must be an id of the bin': 'muss eine ID des Papierkorbs sein',
  'must be an octal mode such as 644': 'muss oktale Rechte wie 644 angeben',
  'must name or quote': 'muss einen Namen oder einen Inhalt nennen',
  'give either a cron expression or an interval in minutes':
    'geben Sie entweder einen Cron-Ausdruck oder einen Abstand in Minuten an',
  'must be a path like /mnt/backups, without a slash at the end':
    'muss ein Pfad wie /mnt/backups sein, ohne Schrägstrich am Ende',
  'has to say where scheduled backups go': 'muss sagen, wohin geplante Backups kommen',
  'two have the same name': 'zwei haben denselben Namen',
  'must be an address such as https://s3.example.com, without a path':
    'muss eine Adresse wie https://s3.example.com sein, ohne Pfad',
  'must be the name of a bucket': 'muss der Name eines Buckets sein',
  'must be a folder such as lodge/backups': 'muss ein Ordner wie lodge/backups sein',
  'must be a path inside the data folder': 'muss ein Pfad im Datenordner sein',
  'a template cannot name a file of a node': 'eine Vorlage kann keine Datei eines Nodes nennen',
  'must be letters, digits and underscores':
    'darf nur aus Buchstaben, Ziffern und Unterstrichen bestehen',
  'is not allowed': 'ist nicht erlaubt',
  'is set by the panel itself': 'wird vom Panel selbst gesetzt',
  'must not be blank': 'darf nicht leer sein',
  'must be an absolute path': 'muss ein absoluter Pfad sein',
  'must not hold ..': 'darf kein .. enthalten',
  'must not be in /proc, /sys or /dev': 'darf nicht in /proc, /sys oder /dev liegen',
  'must not hold a null character': 'darf kein Nullzeichen enthalten',
  'must be one line without control characters': 'muss eine einzelne Zeile ohne Steuerzeichen sein',
  'must not have control characters': 'darf keine Steuerzeichen enthalten',
  'is a second price for {a} in {b}': 'ist ein zweiter Preis für „{a}“ in {b}',
  'must be a country code of two letters': 'muss ein Ländercode aus zwei Buchstaben sein',
  'must be visible characters': 'darf nur sichtbare Zeichen enthalten',
  'must be at most eight lines of visible characters':
    'darf höchstens acht Zeilen sichtbarer Zeichen haben',
  'Give a currency’s code, such as EUR.':
    'Geben Sie das Kürzel einer Währung an, zum Beispiel EUR.',
  'is not the name of a column': 'ist nicht der Name einer Spalte',
  'is not an order': 'ist keine Sortierung',
  'must have different names': 'müssen verschiedene Namen haben',
  'must be an address or a network such as 10.0.5.0/24':
    'muss eine Adresse oder ein Netz wie 10.0.5.0/24 sein',
  'has bits set after its length: write {a}':
    'hat gesetzte Bits hinter seiner Präfixlänge: Schreiben Sie {a}',
  'the range ends before it begins': 'der Bereich endet, bevor er beginnt',
  'must be tcp or udp where ports are named': 'muss tcp oder udp sein, wenn Ports genannt sind',
  'is wider than /{a}: name the ports that are to be open':
    'ist größer als /{a}: Nennen Sie die Ports, die offen sein sollen',
  'must be a colour like #3b5bdb': 'muss eine Farbe wie #3b5bdb sein',
  'must be the digest of an uploaded image': 'muss die Prüfsumme eines hochgeladenen Bilds sein',
  'has to say something': 'muss etwas sagen',
  'must be after the beginning': 'muss nach dem Beginn liegen',
  'names a plan twice': 'nennt einen Tarif zweimal',
  'must be an address, a name or a link': 'muss eine Adresse, ein Name oder ein Link sein',
  'is not a time of day, for example 09:30 or 24:00':
    'ist keine Uhrzeit, zum Beispiel 09:30 oder 24:00',
  'closes before it opens': 'schließt, bevor es öffnet',
  'has intervals that overlap or are not in order':
    'hat Zeiten, die sich überschneiden oder nicht in Reihenfolge sind',
  'names a day twice': 'nennt einen Tag zweimal',
  'must be different ones': 'müssen verschiedene sein',
  'is what the scope `group` needs, and no other has':
    'braucht der Bereich „group“, und kein anderer hat es',
  'is the address of the page for new articles': 'ist die Adresse der Seite für neue Artikel',
  'must be lower-case words with hyphens, such as first-steps':
    'muss aus kleingeschriebenen Wörtern mit Bindestrichen bestehen, zum Beispiel erste-schritte',
  'must be a language such as en or pt-BR': 'muss eine Sprache wie en oder pt-BR sein',
  'must be lower-case letters, digits and underscores':
    'darf nur aus Kleinbuchstaben, Ziffern und Unterstrichen bestehen',
  'are what a select needs, and nothing else has':
    'braucht eine Auswahl, und nichts anderes hat sie',
  'must have different keys': 'müssen verschiedene Schlüssel haben',
  'is given where a certain agent gets the ticket, and only there':
    'wird angegeben, wenn ein bestimmter Bearbeiter das Ticket bekommt, und nur dann',
  'has more than {a} conditions': 'hat mehr als {a} Bedingungen',
  'is given for rules about idle tickets, and only for them':
    'wird für Regeln über ruhende Tickets angegeben, und nur für sie',
  'must be one word': 'muss ein einzelnes Wort sein',
  'must take at most {a} characters': 'darf höchstens {a} Zeichen haben',
  'looks like a secret. Enter only public values: a secret that was typed here should be replaced':
    'sieht wie ein Geheimnis aus. Geben Sie nur öffentliche Werte ein: Ein Geheimnis, das hier stand, sollte ersetzt werden',
  'must be like owner/name': 'muss wie besitzer/name aussehen',
  'must be the client id of the application': 'muss die Client-ID der Anwendung sein',
  'must be a public key of 32 bytes in base64':
    'muss ein öffentlicher Schlüssel von 32 Byte in Base64 sein',
  'must be a path like /plugins, without a slash at the end':
    'muss ein Pfad wie /plugins sein, ohne Schrägstrich am Ende',
  'must not contain . or ..': 'darf weder . noch .. enthalten',
  'must name each folder once': 'muss jeden Ordner nur einmal nennen',
  'is not possible': 'ist nicht möglich',
  'has more than 40 settings': 'hat mehr als 40 Einstellungen',
  'must be a style such as plain': 'muss ein Stil wie plain sein',
  'must be there exactly if the kind is notification-style':
    'muss genau dann da sein, wenn die Art notification-style ist',
  'must have autoCharge with saveMethod: what is kept is charged later':
    'braucht zu saveMethod auch autoCharge: Was gespeichert wird, wird später belastet',
  'must be there only if the kind is payment': 'darf nur da sein, wenn die Art payment ist',
  'must be a text of the settings that is not secret':
    'muss ein Text der Einstellungen sein, der nicht geheim ist',
  'must be there exactly if the kind is page': 'muss genau dann da sein, wenn die Art page ist',
  'must have different ids': 'muss verschiedene IDs haben',
  'must contain {a} exactly if a page is for {b}':
    'muss {a} genau dann enthalten, wenn eine Seite für {b} ist',
  'is only for pages of administrators': 'ist nur für Seiten von Administratoren',
  'must have at most 64 KiB': 'darf höchstens 64 KiB haben',
  'must contain no network of a notification-style':
    'darf bei der Art notification-style kein Netz enthalten',
  'must contain api only if the kind is event': 'darf api nur bei der Art event enthalten',
  'must have at most 32 KiB': 'darf höchstens 32 KiB haben',
  'is reserved': 'ist reserviert',
  'is not a permission of plugins': 'ist keine Berechtigung von Plugins',
  'must contain {a} exactly if the kind is {b}':
    'muss {a} genau dann enthalten, wenn die Art {b} ist',
  'must be base64url without padding': 'muss Base64url ohne Füllzeichen sein',
  'must be a time of day such as 22:30': 'muss eine Uhrzeit wie 22:30 sein',
  'is missing for a server plan': 'fehlt für einen Servertarif',
  'is only for account plans': 'ist nur für Kontotarife',
  'is only for server plans': 'ist nur für Servertarife',
  'must be a host name or an address': 'muss ein Hostname oder eine Adresse sein',
  'must be a domain name': 'muss ein Domainname sein',
  'cannot be asked for together with overwrite':
    'lässt sich nicht zusammen mit „overwrite“ verlangen',
  'cannot be given for a copy, which gets an id of its own':
    'lässt sich für eine Kopie nicht angeben, die eine eigene ID bekommt',
  'an image name has at most 255 characters': 'ein Image-Name hat höchstens 255 Zeichen',
  '"{a}" is not the name of an image': '„{a}“ ist nicht der Name eines Images',
  '"{a}" is not an icon of the panel': '„{a}“ ist kein Symbol des Panels',
  'must be a PNG, JPEG, WebP or GIF picture as a data: URL':
    'muss ein Bild in PNG, JPEG, WebP oder GIF als data:-URL sein',
  'must not be larger than 1 MiB': 'darf nicht größer als 1 MiB sein',
  'is not valid base64': 'ist kein gültiges Base64',
  'is not the picture that it says it is': 'ist nicht das Bild, als das es ausgegeben wird',
  'is damaged: its width and height cannot be read':
    'ist beschädigt: Breite und Höhe lassen sich nicht lesen',
  'has {a} × {b} pixels: scale it down to at most {c} × {d}':
    'hat {a} × {b} Pixel: Verkleinern Sie es auf höchstens {c} × {d}',
  'knows no {a}: use {b} or five fields': 'kennt kein {a}: Verwenden Sie {b} oder fünf Felder',
  'needs five fields: minute, hour, day of the month, month and day of the week; this has {a}':
    'braucht fünf Felder: Minute, Stunde, Monatstag, Monat und Wochentag; dies hat {a}',
  'has {a} that is not understood, {b}: use {c}, or *, lists as 1,3, ranges as 1-5 and steps as */2 or 0-10/2':
    'hat {a}, die nicht verstanden wird, {b}: Verwenden Sie {c}, oder *, Listen wie 1,3, Bereiche wie 1-5 und Schritte wie */2 oder 0-10/2',
  'is not understood': 'wird nicht verstanden',
  'never occurs: there is no such day': 'kommt nie vor: Einen solchen Tag gibt es nicht',
  'The document is not an object': 'Das Dokument ist kein Objekt',
  'Neither format ("lodge/v1") nor meta.version ("PTDL_v2", "PLCN_v3", …) is given':
    'Weder format („lodge/v1“) noch meta.version („PTDL_v2“, „PLCN_v3“, …) ist angegeben',
  'The version "{a}" is not known; known are {b}':
    'Die Version „{a}“ ist nicht bekannt; bekannt sind {b}',
  'It is not valid': 'Es ist nicht gültig',
  'The script still says {a}: where it means the variable, write {b}':
    'Das Skript sagt noch {a}: Wo es die Variable meint, schreiben Sie {b}',
  'The document has no name': 'Das Dokument hat keinen Namen',
  'The document names no usable image': 'Das Dokument nennt kein brauchbares Image',
  'The document has no startup command': 'Das Dokument hat keinen Startbefehl',
  'The template has no variable {a}': 'Die Vorlage hat keine Variable {a}',
}

/** Values of what is said of fields. */
export const valuesOfFields: Phrases = {
  'a minute': 'eine Minute',
  'an hour': 'eine Stunde',
  'a day of the month': 'eine Angabe des Monatstags',
  'a month': 'eine Angabe des Monats',
  'a day of the week': 'eine Angabe des Wochentags',
  '0 to 59': '0 bis 59',
  '0 to 23': '0 bis 23',
  '1 to 31, or L for the last': '1 bis 31, oder L für den letzten',
  '1 to 12, or JAN to DEC': '1 bis 12, oder JAN bis DEC',
  '0 to 7, or SUN to SAT, where 0 and 7 are Sunday':
    '0 bis 7, oder SUN bis SAT, wobei 0 und 7 der Sonntag sind',
  weekly: 'wöchentlich',
  monthly: 'monatlich',
  quarterly: 'vierteljährlich',
  semiannual: 'halbjährlich',
  yearly: 'jährlich',
  biennial: 'alle zwei Jahre',
  triennial: 'alle drei Jahre',
  week: 'Wochen',
  month: 'Monate',
  string: 'Text',
  number: 'Zahl',
  int: 'ganze Zahl',
  boolean: 'Wahrheitswert',
  object: 'Objekt',
  record: 'Objekt',
  array: 'Liste',
  tuple: 'Liste',
  date: 'Datum',
  undefined: 'nichts',
}
