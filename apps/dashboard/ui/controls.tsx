import { type ComponentProps, type ReactNode, useId, useRef } from 'react'

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style' | 'onClick' | 'disabled'> & {
  onPress?: () => void
  isDisabled?: boolean
  main?: boolean
  /** True if the button looks like a link in running text. */
  quiet?: boolean
  hotkey?: string
}

export const Button = ({ main, quiet, hotkey, isDisabled, onPress, children, ...props }: ButtonProps) => (
  <button
    type="button"
    {...props}
    disabled={isDisabled}
    onClick={() => onPress?.()}
    className={`button${main ? ' main' : ''}${quiet ? ' quiet' : ''}`}
  >
    {children}
    {hotkey !== undefined && <kbd>{hotkey}</kbd>}
  </button>
)

type FileButtonProps = Omit<ButtonProps, 'onPress'> & { onFiles: (files: readonly File[]) => void; multiple?: boolean }

export const FileButton = ({ onFiles, multiple, ...props }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...props} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

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

type FieldProps = Omit<ComponentProps<'input'>, 'className' | 'style' | 'children' | 'value' | 'onChange'> & {
  label: string
  value: string
  onChange: (value: string) => void
  lines?: number
  hint?: ReactNode
}

export const Field = ({ label, lines = 1, hint, onChange, ...props }: FieldProps) => {
  const id = useId()
  const shared = { ...props, id, ...(hint !== undefined && { 'aria-describedby': `${id}-hint` }) }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {lines > 1 ? (
        <textarea
          {...(shared as ComponentProps<'textarea'>)}
          rows={lines}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : (
        <input {...shared} onChange={({ target }) => onChange(target.value)} />
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="small soft">
          {hint}
        </span>
      )}
    </div>
  )
}

type SelectProps<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, words: string, description?: string])[]
  onChange: (value: Value) => void
  /** The position of the label. With `unseen`, only screen readers get the label. */
  labelled?: 'above' | 'before' | 'unseen'
}

export const Select = <Value extends string>({
  label,
  value,
  options,
  onChange,
  labelled = 'above',
}: SelectProps<Value>) => (
  <label className={labelled === 'above' ? 'field' : 'choice'}>
    <span className={labelled === 'unseen' ? 'unseen' : 'small soft'}>{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {options.map(([each, words, description]) => (
        <option key={each} value={each}>
          {description === undefined ? words : `${words}: ${description}`}
        </option>
      ))}
    </select>
    {options.some(([, , description]) => description !== undefined) && (
      <span className="chosen" aria-hidden="true">
        {options.find(([each]) => each === value)?.[1]}
      </span>
    )}
  </label>
)

export const Check = ({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) => (
  <label className="check">
    <input type="checkbox" checked={on} onChange={({ target }) => set(target.checked)} /> {label}
  </label>
)

export const toggleItem = <T,>(list: T[], one: T, on: boolean): T[] =>
  on ? [...list, one] : list.filter((each) => each !== one)
