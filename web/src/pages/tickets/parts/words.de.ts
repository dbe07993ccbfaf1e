import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  status:
    '{status, select, new {Neu} open {Offen} pending {Wartend} on_hold {Angehalten} solved {Gelöst} closed {Geschlossen} other {}}',
  ownStatus:
    '{status, select, new {Eingegangen} open {Beim Support} pending {Wartet auf Sie} on_hold {Angehalten} solved {Gelöst} closed {Geschlossen} other {}}',
  priority:
    '{priority, select, low {Niedrig} normal {Normal} high {Hoch} urgent {Dringend} other {}}',
  conversation: 'Unterhaltung',
  unread: 'Ungelesen:',
  byline: '<author></author> <written></written>',
  you: 'Sie',
  host: 'Support',
  withoutAddress: 'Anonym',
  formerPerson: 'Entferntes Konto',
  system: 'Das Panel',
  note: 'Interne Notiz',
  held: 'Zurückgehalten',
  heldHelp: 'Der Kunde sieht es, sobald jemand es zulässt.',
  byMail: 'per E-Mail',
  verified: 'Absender bestätigt durch {domain}',
  unverified: 'Absender nicht bestätigt',
  unverifiedHelp:
    'Die E-Mail kam von einer anderen Adresse, oder ihr Absender ließ sich nicht bestätigen.',
  knownAddress: 'Bekannt durch die Antwortadresse',
  checks:
    '{by, select, bridge {Von der E-Mail-Brücke ermittelt.} other {Vom Panel geprüft.}} Signatur (DKIM): {dkim, select, pass {richtig} fail {falsch} temperror {unbekannt} other {keine}}. Server (SPF): {spf, select, pass {erlaubt} fail {nicht erlaubt} other {unbekannt}}. Richtlinie der Domain (DMARC): {dmarc, select, pass {erfüllt} fail {nicht erfüllt} temperror {unbekannt} other {keine}}.',
  edited: 'bearbeitet',
  attachHelp:
    'Bilder, Videos, PDF, Texte wie Protokolle und Archive, je bis zu {size}. Sie können sie auch einfügen oder hierherziehen.',
  draftSaved: 'Entwurf gespeichert',
  draftSaving: 'Entwurf wird gespeichert…',
  draftHere: 'Entwurf in diesem Browser gespeichert',
  draftElsewhere: 'In einem anderen Fenster haben Sie einen weiteren Entwurf geschrieben',
  draftElsewhereText:
    'Beide sind gespeichert. Fügen Sie ihn unter Ihrem Text ein oder verwerfen Sie ihn.',
  insertDraft: 'Einfügen',
  dropDraft: 'Verwerfen',
  peopleTitle: 'Wer mitliest',
  peopleText:
    'Sie erhalten jede Antwort per E-Mail und können auch selbst antworten. Notizen bleiben im Team.',
  peopleLabel: 'E-Mail-Adressen',
  peopleSave: 'Adressen speichern',
  peopleSaved: 'Adressen gespeichert',
  writeFirst: 'Schreiben Sie zuerst etwas',
})
