import { Notifications, notifications } from '@mantine/notifications'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { rich } from '../page/rich.ts'
import './toast-view.css'
import { t } from './words.ts'

export interface Toast {
  readonly tone: 'ok' | 'err'
  readonly title: string
  readonly message: ReactNode
  /** Id of the failed request, for support. */
  readonly requestId?: string
  /** An action that is offered while the message is shown. */
  readonly action?: { readonly label: string; readonly onSelect: () => void }
  /** Receives a function that removes the message. */
  readonly onShown?: (hide: () => void) => void
}

const DONE_MS = 5_000
/** How long a message with an action is shown. */
const ACTION_MS = 12_000

/** Shows one message. A success disappears after some seconds, an error stays until closed. */
export function showToast(toast: Toast): void {
  const { tone, title, message, requestId, action, onShown } = toast
  const ok = tone === 'ok'
  const id = notifications.show({
    title,
    message: (
      <>
        {message}
        {requestId ? (
          <small className="l-toast-id">{rich(t.request({ id: () => requestId }))}</small>
        ) : null}
        {action ? (
          <div className="l-toast-action">
            <Button
              size="small"
              onClick={() => {
                notifications.hide(id)
                action.onSelect()
              }}
            >
              {action.label}
            </Button>
          </div>
        ) : null}
      </>
    ),
    icon: ok ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />,
    color: 'transparent',
    classNames: { icon: ok ? 'l-toast-ok' : 'l-toast-err' },
    autoClose: ok ? (action ? ACTION_MS : DONE_MS) : false,
    closeButtonProps: { 'aria-label': t.closeMessage },
    role: ok ? 'status' : 'alert',
  })
  onShown?.(() => notifications.hide(id))
}

/** The container of the messages. */
export default function ToastView() {
  return <Notifications position="bottom-right" limit={3} />
}
