import { Component } from 'react';
import type { ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead of a part that threw; `again` mounts the part anew. */
  readonly fallback: (again: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps a part of the page that throws from taking the rest with it. `reportFailure` logs what was thrown. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  readonly again = (): void => {
    this.setState({ hasFailed: false });
  };

  override render(): ReactNode {
    const { fallback, children } = this.props;
    return this.state.hasFailed ? fallback(this.again) : children;
  }
}
