import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead of children that threw. `again` mounts the children again. */
  readonly fallback: (again: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** Catches errors of its children. `reportFailure` logs them. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  readonly again = (): void => this.setState({ hasFailed: false });

  override render(): ReactNode {
    const { fallback, children } = this.props;
    return this.state.hasFailed ? fallback(this.again) : children;
  }
}
