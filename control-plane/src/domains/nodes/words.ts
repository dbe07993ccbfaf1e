import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about nodes. */
export const t = catalogue(
  {
    offline: '{node} is offline',
    offlineBody:
      'The node has not answered for a minute. {servers, plural, one {Its server is} other {Its # servers are}} shown in the last known state. No new server is placed there.',
    online: '{node} is online',
    onlineBody: 'The node is connected again.',
    newerAgent: 'A newer agent is ready for {node}',
    earlierBuild:
      'It runs an earlier build of the agent. Its servers keep running while it is updated.',
    earlierVersion:
      'It runs the agent {version}, and this panel has {newest}. Its servers keep running while it is updated.',
    littleRoom: 'Little room is left on {node}',
    littleRoomBody:
      'Its servers have {memory}% of its memory, {cpu}% of its CPU and {disk}% of its disk. Add a node, or move servers to one with more room.',
  },
  { de: () => import('./words.de.ts') },
)
