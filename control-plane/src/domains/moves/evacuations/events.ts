import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../../events/notices.ts'
import { wordsFor } from '../../../said-in.ts'
import { t } from './words.ts'

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    /** The evacuation of a node is over: this many servers moved, and this many stayed. */
    'node.evacuated': { nodeId: string; nodeName: string; moved: number; stayed: number }
  }
}

export const evacuationNoticeTypes: NoticeTypes = {
  'node.evacuated': {
    title: 'An evacuation of a node is over',
    severity: 'info',
    group: 'host',
    staff: 'nodes.view',
  },
}

export const evacuationNotices: Notices = {
  'node.evacuated': [
    {
      type: 'node.evacuated',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId: id, nodeName, moved, stayed }, reader) => ({
        title: wordsFor(t, reader).over({ node: nodeName, stayed: String(stayed > 0) }),
        body: wordsFor(t, reader).results({ moved, stayed }),
        link: panelPath('nodeEvacuation', { id }),
        groupKey: `node.evacuated:${id}`,
      }),
    },
  ],
}
