import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  notGivenByOwner: 'Der Besitzer hat Ihnen diese Berechtigung nicht gegeben ({right})',
  notInRole: 'Ihre Rolle enthält diese Berechtigung nicht ({right})',
})
