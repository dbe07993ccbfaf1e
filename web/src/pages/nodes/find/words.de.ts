import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  cordonNamed: '{node} für neue Server sperren',
  uncordonNamed: '{node} freigeben',
  cordonKeywords: 'wartung räumen keine neuen server cordon',
  isCordoned: '{node} nimmt keine neuen Server an.',
  isUncordoned: '{node} nimmt wieder neue Server an.',
  openServersOf: 'Server von {node} öffnen',
  openMetricsOf: 'Messwerte von {node} öffnen',
  openChecksOf: 'Prüfungen von {node} öffnen',
  openLogOf: 'Agent-Protokoll von {node} öffnen',
})
