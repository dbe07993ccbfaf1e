import { Notifications, notifications } from '@mantine/notifications'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { ReactNode } from 'react'
import { rich } from '../page/rich.ts'
import './toast-view.css'
import { t } from './words.ts'

export interface Toast {
  readonly tone: 'ok' | 'err'
  readonly title: string
  readonly message: ReactNode
  /** Id of the failed request, for support. */
  readonly requestId?: string
}

const DONE_MS = 5_000

/** Shows one message. A success disappears after five seconds, an error stays until closed. */
export function showToast({ tone, title, message, requestId }: Toast): void {
  const ok = tone === 'ok'
  notifications.show({
    title,
    message: (
      <>
        {message}
        {requestId ? (
          <small className="l-toast-id">{rich(t.request({ id: () => requestId }))}</small>
        ) : null}
      </>
    ),
    icon: ok ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />,
    color: 'transparent',
    classNames: { icon: ok ? 'l-toast-ok' : 'l-toast-err' },
    autoClose: ok ? DONE_MS : false,
    closeButtonProps: { 'aria-label': t.closeMessage },
    role: ok ? 'status' : 'alert',
  })
}

/** The container of the messages. */
export default function ToastView() {
  return <Notifications position="bottom-right" limit={3} />
}
