import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  title: 'Abonnements',
  all: 'Alle unter „Abonnenten“',
  none: 'Zurzeit kein Abonnement.',
  next: 'Als Nächstes',
  owed: 'Offen',
  owes: '{amount}, fällig am {when}',
  overdue: '{amount}, überfällig seit {when}',
  owesNothing: 'Nichts',
})
