import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    title: 'Notifications',
    info: 'Note',
    warn: 'Warning',
    error: 'Error',
    notMarked: 'Could not mark as read',
    none: 'No notifications yet',
    noneText: 'Crashes, invitations and sign-ins from new devices will appear here.',
    unread: 'Unread',
    unreadCount: 'Unread ({count})',
    repeated: '<when></when> · {times} times',
    markOneRead: 'Mark as read: {title}',
    markRead: 'Mark as read',
    markAllRead: 'Mark all as read',
    allRead: 'Everything is read',
    shown: 'Filter by state',
    all: 'All',
    openAll: 'All notifications',
  },
  { de: () => import('./words.de.ts') },
)
