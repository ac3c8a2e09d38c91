<?php

declare(strict_types=1);

// The channel of clients/php/examples inside Laravel's own notifications, without the rest of a Laravel application.
error_reporting(E_ALL & ~E_DEPRECATED);

require_once 'Illuminate/Notifications/autoload.php';
require_once 'Illuminate/Events/autoload.php';
require_once getenv('CLIENT') . '/src/autoload.php';
require_once getenv('CLIENT') . '/examples/GanganChannel.php';

use App\Notifications\Channels\GanganChannel;
use Gangan\Gangan;
use Illuminate\Container\Container;
use Illuminate\Notifications\ChannelManager;
use Illuminate\Notifications\Notification;
use Illuminate\Notifications\RoutesNotifications;

final class Customer
{
    use RoutesNotifications;

    public function __construct(private readonly ?string $phone)
    {
    }

    public function routeNotificationForGangan(): ?string
    {
        return $this->phone;
    }
}

final class OrderSent extends Notification
{
    /** @return list<class-string> */
    public function via(object $notifiable): array
    {
        return [GanganChannel::class];
    }

    /** @return array<string, string> */
    public function toGangan(object $notifiable): array
    {
        return ['content' => 'Your order is on its way.', 'external_ref' => 'laravel'];
    }
}

$app = new Container();
Container::setInstance($app);
$app->instance('config', new Illuminate\Support\Fluent());
$app->singleton(Gangan::class, fn () => new Gangan(getenv('GANGAN_API_KEY'), getenv('GANGAN_URL')));
$app->singleton(Illuminate\Contracts\Events\Dispatcher::class, fn ($app) => new Illuminate\Events\Dispatcher($app));
$app->singleton(Illuminate\Contracts\Bus\Dispatcher::class, fn ($app) => new Illuminate\Bus\Dispatcher($app));
$notifications = new ChannelManager($app);

$notifications->sendNow(new Customer('08031234567'), new OrderSent());
$notifications->sendNow(new Customer(null), new OrderSent());
// A queue gives a notification its id, and may run it once more: it is the same message then.
$queued = new OrderSent();
$queued->id = 'e0f5b1a2-4f4e-4c5e-9d57-2f6f3f0c1042';
$notifications->sendNow(new Customer('08031234567'), $queued);
$notifications->sendNow(new Customer('08031234567'), $queued);

foreach ($app->make(Gangan::class)->sms->each(['external_ref' => 'laravel']) as $message) {
    echo $message['content'], "\n";
}
