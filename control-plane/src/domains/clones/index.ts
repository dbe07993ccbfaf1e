export { giveUpClonesOn } from './give-up.ts'
