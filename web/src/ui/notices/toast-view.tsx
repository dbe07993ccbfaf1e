import { Notifications, notifications } from '@mantine/notifications'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { ReactNode } from 'react'
import './toast-view.css'

export interface Toast {
  readonly tone: 'ok' | 'err'
  readonly title: string
  readonly message: ReactNode
  /** Id of the refused request, for whoever is asked about it. */
  readonly requestId?: string
}

const DONE_MS = 5_000

/** Shows one message. What worked goes away after five seconds, a refusal stays until it is closed. */
export function showToast({ tone, title, message, requestId }: Toast): void {
  const ok = tone === 'ok'
  notifications.show({
    title,
    message: (
      <>
        {message}
        {requestId ? <small className="l-toast-id">Request {requestId}</small> : null}
      </>
    ),
    icon: ok ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />,
    color: 'transparent',
    classNames: { icon: ok ? 'l-toast-ok' : 'l-toast-err' },
    autoClose: ok ? DONE_MS : false,
    closeButtonProps: { 'aria-label': 'Close message' },
    role: ok ? 'status' : 'alert',
  })
}

/** Where messages appear. */
export default function ToastView() {
  return <Notifications position="bottom-right" limit={3} />
}
