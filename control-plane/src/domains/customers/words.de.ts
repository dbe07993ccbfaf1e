import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  emailChanged: 'Ihre E-Mail-Adresse wurde geändert',
  signInWith: 'Sie melden sich jetzt mit {email} an.',
})
