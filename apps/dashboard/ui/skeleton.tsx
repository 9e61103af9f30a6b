export const PageSkeleton = () => (
  <main className="page bones" aria-busy="true">
    <div className="bone" />
    <div className="bone" />
    <div className="bone" />
  </main>
)

export const Brand = () => (
  <div className="brand">
    <span className="bob" aria-hidden="true" />
    <span className="brand-name">Plumbline</span>
  </div>
)

/** The frame of the app before the content is loaded. index.html shows the same frame until the script runs. */
export const AppSkeleton = () => (
  <div className="app">
    <div className="sidebar">
      <Brand />
    </div>
    <PageSkeleton />
  </div>
)
