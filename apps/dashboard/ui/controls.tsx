import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Input,
  Label,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components'

type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  /** The one action a screen is for. */
  main?: boolean
  /** Looks like a word of the text. */
  quiet?: boolean
  /** The key that does the same. */
  hotkey?: string
  children: ReactNode
}

export const Button = ({ main, quiet, hotkey, children, ...props }: ButtonProps) => (
  <AriaButton {...props} className={`button${main ? ' main' : ''}${quiet ? ' quiet' : ''}`}>
    {children}
    {hotkey !== undefined && <kbd>{hotkey}</kbd>}
  </AriaButton>
)

/** The end of a form: what it does, and how to leave it. */
export const FormEnd = ({
  isReady,
  onCancel,
  children,
}: {
  isReady: boolean
  onCancel: () => void
  children: string
}) => (
  <div className="actions">
    <Button type="submit" isDisabled={!isReady}>
      {children}
    </Button>
    <Button quiet onPress={onCancel}>
      Cancel
    </Button>
  </div>
)

type FieldProps = Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
  label: string
  lines?: number
  placeholder?: string
}

export const Field = ({ label, lines = 1, placeholder, ...props }: FieldProps) => (
  <TextField {...props} className="field">
    <Label>{label}</Label>
    {lines > 1 ? <TextArea rows={lines} placeholder={placeholder} /> : <Input placeholder={placeholder} />}
  </TextField>
)

export const Check = ({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) => (
  <label className="check">
    <input type="checkbox" checked={on} onChange={({ target }) => set(target.checked)} /> {label}
  </label>
)

export const toggled = <T,>(list: T[], one: T, on: boolean): T[] =>
  on ? [...list, one] : list.filter((each) => each !== one)
