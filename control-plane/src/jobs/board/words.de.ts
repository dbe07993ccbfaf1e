import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  done: 'Erledigt: {title}',
  failed: 'Fehlgeschlagen: {title}',
  finished: 'Der Auftrag ist abgeschlossen.',
})
