import { Notifications, notifications } from '@mantine/notifications'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import type { ReactNode } from 'react'
import { Refusal } from '../api.ts'

const closeButtonProps = { 'aria-label': 'Close message' }

/** Says that something worked; goes away after five seconds. Never the only place of a fact. */
export function toastDone(title: string, message?: ReactNode): void {
  notifications.show({
    title,
    message,
    icon: <CircleCheck size={18} aria-hidden />,
    color: 'transparent',
    classNames: { icon: 'l-toast-ok' },
    autoClose: 5_000,
    closeButtonProps,
    role: 'status',
  })
}

/** Says what was refused and why, for actions that have no form of their own; stays until closed. */
export function toastRefused(title: string, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const id = error instanceof Refusal ? error.problem.instance : ''
  notifications.show({
    title,
    message: (
      <>
        {message}
        {id === '' ? null : <small className="l-toast-id">Request {id}</small>}
      </>
    ),
    icon: <CircleAlert size={18} aria-hidden />,
    color: 'transparent',
    classNames: { icon: 'l-toast-err' },
    autoClose: false,
    closeButtonProps,
    role: 'alert',
  })
}

/** Where messages appear. */
export const Toasts = () => <Notifications position="bottom-right" limit={3} />
