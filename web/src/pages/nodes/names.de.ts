import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({ nodes: 'Nodes', addNode: 'Node hinzufügen' })
