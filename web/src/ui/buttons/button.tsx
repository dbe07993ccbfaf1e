import LoaderCircle from 'lucide-react/icons/loader-circle'
import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { Hint } from '../floating/hint.tsx'
import { Hidden } from '../page/layout.tsx'
import styles from './button.module.css'

export type ButtonKind = 'default' | 'primary' | 'danger' | 'warning' | 'quiet'
export type ButtonSize = 'small' | 'medium' | 'large'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'title'> {
  kind?: ButtonKind
  size?: ButtonSize
  icon?: ReactNode
  full?: boolean
  /** The work started by this button is in progress. */
  busy?: boolean
  /** Why it is disabled; the button stays focusable and shows the reason. */
  disabledBecause?: string | undefined
}

/** Class names of everything that looks like a button. */
export function buttonClass(
  kind: ButtonKind = 'default',
  size: ButtonSize = 'medium',
  ...more: readonly (string | false | undefined)[]
): string {
  const look = kind === 'default' ? undefined : styles[kind]
  const measure = size === 'medium' ? undefined : styles[size]
  return [styles.button, look, measure, ...more].filter(Boolean).join(' ')
}

/** A button. While disabled it shows the reason instead of disappearing. */
export function Button(props: ButtonProps) {
  const { kind, size, icon, full, busy, disabledBecause, children, onClick, className, ...rest } =
    props
  const reasonId = useId()
  const blocked = busy === true || disabledBecause !== undefined
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault()
    else onClick?.(event)
  }
  const button = (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, size, full && styles.full, busy && styles.busy, className)}
      onClick={click}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      {...(disabledBecause === undefined ? {} : { 'aria-describedby': reasonId })}
    >
      {busy ? <LoaderCircle className={styles.spin} aria-hidden /> : icon}
      {children}
    </button>
  )
  if (disabledBecause === undefined) return button
  return (
    <>
      <Hint text={disabledBecause}>{button}</Hint>
      <Hidden id={reasonId} silent>
        {disabledBecause}
      </Hidden>
    </>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** Name of the button, also its tooltip. */
  label: string
  children: ReactNode
}

/** A button that shows only an icon. */
export function IconButton({
  label,
  children,
  disabledBecause,
  className,
  ...rest
}: IconButtonProps) {
  const button = (
    <Button
      kind="quiet"
      {...rest}
      disabledBecause={disabledBecause}
      aria-label={label}
      className={[styles.icon, className].filter(Boolean).join(' ')}
      icon={children}
    />
  )
  return disabledBecause === undefined ? <Hint text={label}>{button}</Hint> : button
}
