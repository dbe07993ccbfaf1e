import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  taken: 'Ein Snapshot von {server} wurde erstellt',
  takenAs: 'Als {snapshot}.',
  failed: 'Der Snapshot von {server} ist fehlgeschlagen',
})
