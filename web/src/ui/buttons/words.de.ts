import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  showCommands: 'Als curl anzeigen…',
  commandsOf: '{menu} als curl',
})
