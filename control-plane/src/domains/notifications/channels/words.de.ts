import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  disabled: 'Der Benachrichtigungskanal {channel} wurde abgeschaltet',
  why: '{reason, select, gone {Der Empfänger sagt, dass es ihn nicht mehr gibt. {last}.} failing {Drei Tage lang konnte nichts zugestellt werden. Zuletzt: {last}.} other {Jemand hat den Link zum Abbestellen in einer der E-Mails benutzt.}}',
  ended: '{channel} nimmt keine Benachrichtigungen mehr an',
  endedBody:
    'Dort wurde die Erlaubnis entzogen, oder die Daten des Browsers wurden gelöscht, daher wurde der Kanal entfernt. Um dort wieder benachrichtigt zu werden, schalten Sie es in diesem Browser ein.',
  styleLost: '{channel} hat wieder den eingebauten Stil',
  styleLostBody:
    'Der Stil kam mit {plugin}, das deinstalliert wurde. Sie können für den Kanal einen anderen wählen.',
  openPanel: 'Panel öffnen',
  notifications: '{count, plural, one {# Benachrichtigung} other {# Benachrichtigungen}}',
  andMore: 'und {count} weitere',
  testTitle: 'Testnachricht von {panel}',
  testBody: 'Der Benachrichtigungskanal {channel} funktioniert.',
})
