import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  offline: '{node} ist offline',
  offlineBody:
    'Der Node hat seit einer Minute nicht geantwortet. {servers, plural, one {Sein Server wird} other {Seine # Server werden}} im letzten bekannten Zustand angezeigt. Neue Server kommen nicht dorthin.',
  online: '{node} ist online',
  onlineBody: 'Der Node ist wieder verbunden.',
  newerAgent: 'Für {node} gibt es einen neueren Agent',
  earlierBuild:
    'Dort läuft ein früherer Build des Agents. Die Server laufen während der Aktualisierung weiter.',
  earlierVersion:
    'Dort läuft der Agent {version}, und dieses Panel hat {newest}. Die Server laufen während der Aktualisierung weiter.',
  littleRoom: 'Auf {node} ist nur noch wenig Platz',
  littleRoomBody:
    'Die Server dort haben {memory} % des Arbeitsspeichers, {cpu} % der CPU und {disk} % des Speicherplatzes. Fügen Sie einen Node hinzu, oder verschieben Sie Server auf einen mit mehr Platz.',
})
