import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  title: '{name} – Status',
  stateOf:
    '{state, select, investigating {Wird untersucht} identified {Ursache gefunden} monitoring {Wird beobachtet} resolved {Behoben} scheduled {Geplant} in_progress {Läuft} completed {Abgeschlossen} other {Abgesagt}}',
  healthOf:
    '{state, select, operational {In Betrieb} degraded {Langsam} partial {Teilausfall} outage {Ausfall} maintenance {Wartung} other {Nicht gemessen}}',
  impactOf: '{impact, select, degraded {Langsam} partial {Teilausfall} other {Ausfall}}',
  overall:
    '{state, select, operational {Alles funktioniert} degraded {Einiges ist langsam} partial {Einiges funktioniert nicht} outage {Es gibt einen Ausfall} maintenance {Es wird gerade gewartet} other {Einiges lässt sich gerade nicht messen}}',
  openIncident: 'Es gibt eine offene Störung',
  isOld:
    'Neues lässt sich gerade nicht lesen. Diese Seite zeigt, was zu dieser Zeit bekannt war: {at}.',
  asOf: 'Stand: <at></at>',

  // Frame
  status: 'Status',
  openPanel: 'Panel öffnen',
  terms: 'AGB',
  privacy: 'Datenschutz',
  imprint: 'Impressum',
  history: 'Verlauf',
  feed: 'Feed',

  // Sections
  now: 'Aktuell',
  planned: 'Geplante Wartung',
  components: 'Komponenten',
  lastDays: 'Die letzten {days} Tage',
  nothingRecent: 'Keine Störungen und keine Wartungen.',
  toHistory: 'Alles aus den letzten {days} Tagen',
  historyIntro: 'Störungen und Wartungen der letzten {days} Tage.',
  nothingAtAll: 'Es gab keine.',
  backToPresent: 'Zurück zum aktuellen Zustand',
  since: 'Seit <start></start>',
  between: '<start></start> bis <end></end>',

  // Components
  daysOf: 'Jeder Tag von {name}, die letzten {days} Tage',
  daysAgo: 'Vor {days} Tagen',
  today: 'Heute',
  uptime: '{percent, number} % verfügbar',
  noUptime: 'Noch nicht gemessen',
  dayAnd: '{day}: {what}',
  unmeasured: 'nicht gemessen',
  downFor: '{time} ausgefallen',
  maintenanceFor: '{time} Wartung',
  unmeasuredFor: '{time} nicht gemessen',
  slow: 'in Betrieb, zeitweise langsam',
  upAllDay: 'den ganzen Tag in Betrieb',
  badDays: 'Tage mit Ausfällen oder Wartung ({days})',
  days: 'Tage',
  day: 'Tag',
  down: 'Ausgefallen',
  maintenance: 'Wartung',
  notMeasured: 'Nicht gemessen',
  legendUp: 'In Betrieb',
  legendPartial: 'Langsam oder Teilausfall',
  legendOutage: 'Ausfall',
  howCounted: 'Wie die Verfügbarkeit gezählt wird',
  counted:
    'Einmal pro Minute zeichnet das Panel auf, was es von jeder Komponente weiß. Eine Minute zählt als verfügbar, wenn in der Komponente alles funktionierte, wenn auch langsam, und als ausgefallen, wenn etwas oder alles nicht funktionierte. Minuten geplanter Wartung stehen für sich und zählen zu keinem von beiden. Eine Minute, in der sich nichts messen ließ, steht als nicht gemessen da und zählt nie als verfügbar; was gerade erst verstummt ist, gilt bis zu einer Minute lang als nicht gemessen, denn vielleicht startet es nur neu. Die Verfügbarkeit sind die verfügbaren Minuten, geteilt durch die verfügbaren und die ausgefallenen, abgerundet.',

  // Subscriptions
  news: 'Auf dem Laufenden bleiben',
  address: 'E-Mail-Adresse',
  getMail: 'E-Mails erhalten',
  getMailText:
    'Sie erhalten E-Mails über Störungen und Wartungen, sobald Sie Ihre Adresse bestätigt haben.',
  followFeed: 'Als Feed verfolgen (Atom)',
  confirmTitle: 'E-Mails über Störungen erhalten?',
  confirmText:
    'Diese Adresse soll E-Mails über Störungen und Wartungen von dieser Seite erhalten: {page}.',
  confirm: 'Adresse bestätigen',
  leaveTitle: 'E-Mails beenden?',
  leaveText:
    'Diese Adresse erhält keine E-Mails mehr von dieser Seite und wird hier gelöscht: {page}.',
  leave: 'E-Mails beenden',
  backToPage: 'Zurück zur Statusseite',
  resultTitle:
    '{result, select, asked {Sehen Sie in Ihrem Postfach nach} address {Das ist keine E-Mail-Adresse} full {Zurzeit sind keine weiteren Abonnements möglich} confirmed {Sie haben abonniert} expired {Dieser Link gilt nicht mehr} broken {Dieser Link ist nicht vollständig} other {Sie erhalten keine E-Mails mehr}}',
  resultText:
    '{result, select, asked {Falls diese Adresse noch keine E-Mails von dieser Seite erhält, ist ein Link an sie unterwegs. Die E-Mails beginnen, sobald Sie ihn geöffnet haben.} address {Gehen Sie zurück und prüfen Sie, wie sie geschrieben ist.} full {Nutzen Sie stattdessen den Feed der Seite.} confirmed {Sie erhalten E-Mails über Störungen und Wartungen. Jede E-Mail hat einen Link, der sie beendet.} expired {Er wurde schon benutzt oder ist abgelaufen. Abonnieren Sie auf der Statusseite noch einmal.} broken {Öffnen Sie den Link in der E-Mail noch einmal, oder kopieren Sie ihn ganz.} other {Ihre Adresse wurde auf dieser Seite gelöscht.}}',
})
