import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  notifications: 'Benachrichtigungen',
  notificationsKeywords: 'Posteingang Glocke',
})
