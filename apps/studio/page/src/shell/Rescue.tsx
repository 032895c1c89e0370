// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a part of the page that has failed. The text is with the server, and the rest of the page goes on.
import { Component } from 'react';
import type { ErrorInfo, ReactNode } from 'react';
import { useStudio } from '../parts';

type Props = { area: string; children: ReactNode };

export class Rescue extends Component<Props, { failure: Error | null }> {
  override state: { failure: Error | null } = { failure: null };
  static getDerivedStateFromError(failure: unknown) {
    return { failure: failure instanceof Error ? failure : new Error(String(failure)) };
  }
  override componentDidCatch(_: Error, __: ErrorInfo) {
    useStudio.getState().notify('error', `${this.props.area} has failed, by a mistake of this program. What you have changed is kept.`);
  }
  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return (
      <div className="empty-note" role="alert">
        <p>
          {this.props.area} cannot be shown: {failure.message}
        </p>
        <p>
          <button className="outlined" onClick={() => this.setState({ failure: null })}>
            Try again
          </button>{' '}
          <button className="outlined" onClick={() => location.reload()}>
            Load the page anew
          </button>
        </p>
      </div>
    );
  }
}
