/** Shown while a page loads. */
export const Bones = () => (
  <main className="page bones" aria-busy="true">
    <div className="bone" />
    <div className="bone" />
    <div className="bone" />
  </main>
)

export const Brand = () => (
  <div className="brand">
    <span className="bob" aria-hidden="true" />
    Plumbline
  </div>
)

/** The whole app before it knows who asks; index.html shows the same before the script has run. */
export const Skeleton = () => (
  <div className="app">
    <div className="sidebar">
      <Brand />
    </div>
    <Bones />
  </div>
)
