import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  title: 'Benachrichtigungen',
  info: 'Hinweis',
  warn: 'Warnung',
  error: 'Fehler',
  notMarked: 'Konnte nicht als gelesen markiert werden',
  none: 'Noch keine Benachrichtigungen',
  noneText: 'Hier erscheinen Abstürze, Einladungen und Anmeldungen von neuen Geräten.',
  unread: 'Ungelesen',
  unreadCount: 'Ungelesen ({count})',
  repeated: '<when></when> · {times}-mal',
  markOneRead: 'Als gelesen markieren: {title}',
  markRead: 'Als gelesen markieren',
  markAllRead: 'Alle als gelesen markieren',
  allRead: 'Alles ist gelesen',
  shown: 'Nach Zustand filtern',
  all: 'Alle',
  openAll: 'Alle Benachrichtigungen',
})
