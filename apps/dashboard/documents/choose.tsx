type Choice<Value extends string> = {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** A choice of a few. */
export const Choose = <Value extends string>({ label, value, options, onChange }: Choice<Value>) => (
  <label className="field">
    <span className="small soft">{label}</span>
    <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  </label>
)
